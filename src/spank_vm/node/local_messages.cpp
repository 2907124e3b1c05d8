// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages within a node, to and from JSON.
#include "spank_vm/node/local_messages.hpp"

#include "spank_vm/node/index_list.hpp"
#include "wire/fields.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace vmall::spank_vm {

namespace {

using wire::Fields;
using wire::Json;
using wire::MessageError;

constexpr auto highest32 = std::numeric_limits<std::uint32_t>::max();

Registration read_registration(const Json &json) {
    const Fields fields(json, "register");
    Registration registration;
    registration.job_id = fields.number32("job", 1, wire::highest_id);
    registration.step_id = fields.number32("step", 0, highest32);
    registration.user = fields.number32("user", 0, wire::highest_id);
    try {
        registration.cores = parse_index_list(fields.text("cores"));
    } catch (const std::invalid_argument &error) {
        fields.fail("cores", error.what());
    }
    if (registration.cores.empty())
        fields.fail("cores", "is empty");
    if (fields.has("run"))
        registration.run = fields.number32("run", 0, wire::highest_id);
    if (fields.has("ranks"))
        registration.ranks = read_ranks(json["ranks"]);
    if (fields.has("takes_part"))
        registration.takes_part = fields.flag("takes_part");
    return registration;
}

std::string text_of(const Registration &registration) {
    Json content = {{"job", registration.job_id},
                    {"step", registration.step_id},
                    {"user", registration.user},
                    {"cores", format_index_list(registration.cores)}};
    if (registration.run)
        content["run"] = *registration.run;
    if (registration.ranks)
        content["ranks"] = to_json(*registration.ranks);
    if (!registration.takes_part)
        content["takes_part"] = false;
    return wire::wrap("register", std::move(content));
}

std::string text_of(const Launched &launched) {
    return wire::wrap("launched", {{"job", launched.job_id}, {"step", launched.step_id}});
}

std::string text_of(const Forget &forget) {
    return wire::wrap("forget", {{"job", forget.job_id}});
}

} // namespace

std::string encode(const LocalRequest &request) {
    return std::visit([](const auto &message) { return text_of(message); }, request);
}

LocalRequest decode_local_request(const std::string &json) {
    const Json message = wire::parse_message(json);
    if (message.size() != 1)
        throw MessageError("message has not exactly one content");
    if (message.contains("register"))
        return read_registration(message["register"]);
    if (message.contains("launched")) {
        const Fields fields(message["launched"], "launched");
        return Launched{fields.number32("job", 1, wire::highest_id),
                        fields.number32("step", 0, highest32)};
    }
    const Fields fields(wire::unwrap(message, "forget"), "forget");
    return Forget{fields.number32("job", 1, wire::highest_id)};
}

std::string encode_done() {
    return wire::wrap("done", true);
}

std::string encode_error(const std::string &reason) {
    return wire::wrap("error", reason);
}

void expect_done(const std::string &json) {
    const Json message = wire::parse_message(json);
    const Fields answer(message, "answer");
    if (answer.has("error"))
        throw MessageError(answer.text("error"));
    if (!answer.flag("done"))
        answer.fail("done", "is false");
}

} // namespace vmall::spank_vm

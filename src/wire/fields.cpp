// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads fields of JSON messages that may come from anybody.
#include "wire/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace vmall::wire {

namespace {

constexpr std::size_t deepest_nesting = 9; // our deepest message, an answer to "jobs", needs 6
constexpr std::size_t highest_key_count = 64;

// Reads a text without keeping anything of it. It comes before the parser, whose objects compare
// every key with those before it.
class Limits : public nlohmann::json_sax<Json> {
  public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return true; }
    bool start_object(std::size_t) override { return go_in(); }
    bool end_object() override { return go_out(); }
    bool start_array(std::size_t) override { return go_in(); }
    bool end_array() override { return go_out(); }
    bool parse_error(std::size_t, const std::string &,
                     const nlohmann::detail::exception &) override {
        return false;
    }
    bool key(string_t &) override {
        if (++key_counts_.back() > highest_key_count)
            throw MessageError("message has an object with too many keys");
        return true;
    }

  private:
    bool go_in() {
        if (key_counts_.size() == deepest_nesting)
            throw MessageError("message is nested too deep");
        key_counts_.push_back(0);
        return true;
    }
    bool go_out() {
        key_counts_.pop_back();
        return true;
    }
    std::vector<std::size_t> key_counts_; // of the object that is being read, and those around it
};

} // namespace

std::string wrap(const char *name, Json content) {
    Json message;
    message[name] = std::move(content);
    return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parse_message(const std::string &text, std::size_t highest_bytes) {
    if (text.size() > highest_bytes)
        throw MessageError("message is longer than " + std::to_string(highest_bytes) + " bytes");
    Limits limits;
    if (!Json::sax_parse(text, &limits))
        throw MessageError("message is not JSON"); // the parser would quote it at any length
    Json message = Json::parse(text);
    if (!message.is_object())
        throw MessageError("message is not a JSON object");
    return message;
}

const Json &unwrap(const Json &message, const char *name) {
    const auto found = message.find(name);
    if (found == message.end())
        throw MessageError(std::string("message has no \"") + name + "\"");
    return *found;
}

Fields::Fields(const Json &object, std::string what) : object_(object), what_(std::move(what)) {
    if (!object_.is_object())
        throw MessageError(what_ + " is not a JSON object");
}

bool Fields::has(const char *name) const {
    return object_.contains(name);
}

std::uint64_t Fields::number(const char *name, std::uint64_t lowest, std::uint64_t highest) const {
    const Json &value = at(name);
    if (!value.is_number_unsigned())
        fail(name, "is not a whole number from 0 up");
    const auto number = value.get<std::uint64_t>();
    if (number < lowest || number > highest)
        fail(name, "is " + std::to_string(number) + ", not from " + std::to_string(lowest) +
                       " to " + std::to_string(highest));
    return number;
}

std::uint32_t Fields::number32(const char *name, std::uint32_t lowest,
                               std::uint32_t highest) const {
    return static_cast<std::uint32_t>(number(name, lowest, highest));
}

std::int64_t Fields::time(const char *name) const {
    constexpr std::uint64_t highest = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(number(name, 0, highest));
}

double Fields::real(const char *name) const {
    const Json &value = at(name);
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        fail(name, "is not a number");
    return value.get<double>();
}

bool Fields::flag(const char *name) const {
    const Json &value = at(name);
    if (!value.is_boolean())
        fail(name, "is neither true nor false");
    return value.get<bool>();
}

std::string Fields::text(const char *name) const {
    const Json &value = at(name);
    if (!value.is_string())
        fail(name, "is not a string");
    return value.get<std::string>();
}

std::string Fields::node_name(const char *name) const {
    std::string node = text(name);
    if (node.empty() || node.size() > highest_node_name_bytes)
        fail(name, "is not 1 to " + std::to_string(highest_node_name_bytes) + " bytes long");
    if (!std::all_of(node.begin(), node.end(), [](char c) { return c > ' ' && c < 0x7f; }))
        fail(name, "has characters that no node name has");
    return node;
}

const Json &Fields::list(const char *name) const {
    const Json &value = at(name);
    if (!value.is_array())
        fail(name, "is not a list");
    return value;
}

std::vector<std::uint32_t> Fields::core_indices(const char *name) const {
    std::vector<std::uint32_t> cores;
    for (const Json &core : list(name)) {
        if (!core.is_number_unsigned() || core.get<std::uint64_t>() > highest_core_index)
            fail(name, "has something that is not a core index");
        const auto index = core.get<std::uint32_t>();
        if (!cores.empty() && index <= cores.back())
            fail(name, "is not ascending");
        cores.push_back(index);
    }
    return cores;
}

void Fields::fail(const char *name, const std::string &problem) const {
    throw MessageError(what_ + ": \"" + name + "\" " + problem);
}

const Json &Fields::at(const char *name) const {
    const auto found = object_.find(name);
    if (found == object_.end())
        fail(name, "is missing");
    return *found;
}

} // namespace vmall::wire

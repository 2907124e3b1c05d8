// SPDX-License-Identifier: GPL-2.0-or-later
//
// Wishes and what was agreed to and from JSON.
#include "wire/agreement.hpp"

#include "wire/fields.hpp"

#include <nlohmann/json.hpp>

namespace vmall::wire {

std::string encode(const Wish &wish) {
    return wrap("wish", {{"job_id", wish.job_id},
                         {"node", wish.node},
                         {"mpl", wish.mpl},
                         {"fixed", wish.is_fixed}});
}

std::string encode(const Agreed &agreed) {
    return wrap("agreed", {{"job_id", agreed.job_id}, {"mpl", agreed.mpl}});
}

std::optional<Wish> decode_wish(const std::string &json) {
    const Json message = parse_message(json);
    if (!message.contains("wish"))
        return std::nullopt;
    const Fields fields(unwrap(message, "wish"), "wish");
    Wish wish;
    wish.job_id = fields.number32("job_id", 1, highest_id);
    wish.node = fields.node_name("node");
    wish.mpl = fields.number32("mpl", 1, highest_target_mpl);
    wish.is_fixed = fields.flag("fixed");
    return wish;
}

Agreed decode_agreed(const std::string &json) {
    const Json message = parse_message(json);
    const Fields fields(unwrap(message, "agreed"), "agreed");
    return {fields.number32("job_id", 1, highest_id),
            fields.number32("mpl", 0, highest_target_mpl)};
}

} // namespace vmall::wire

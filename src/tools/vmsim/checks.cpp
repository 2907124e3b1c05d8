// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which values options accept.
#include "tools/vmsim/checks.hpp"

#include "config/number.hpp"
#include "sim/trace/text.hpp"

#include <stdexcept>
#include <utility>

namespace vmall::vmsim {

namespace {

std::string from_to(const std::string &lowest, const std::string &highest) {
    return "from " + lowest + " to " + highest;
}

} // namespace

Check whole_number(std::int64_t lowest, std::int64_t highest) {
    const std::string range = from_to(std::to_string(lowest), std::to_string(highest));
    const bool open = highest >= std::numeric_limits<int>::max();
    return {[=](const std::string &text) {
                return config::whole_number(text, lowest, highest)
                           ? std::string()
                           : config::quoted(text) + " is not a whole number " + range;
            },
            open ? std::to_string(lowest) + " or more" : range};
}

Check positive_number() {
    return whole_number(1, std::numeric_limits<int>::max());
}

Check number(double lowest, double highest) {
    const std::string range = from_to(sim::shortest_text(lowest), sim::shortest_text(highest));
    return {[=](const std::string &text) {
                const auto value = sim::decimal_number(text);
                return value && *value >= lowest && *value <= highest
                           ? std::string()
                           : config::quoted(text) + " is not a number " + range;
            },
            range};
}

Check parsed_by(std::function<void(const std::string &)> parse) {
    return {[parse = std::move(parse)](const std::string &text) {
                try {
                    parse(text);
                    return std::string();
                } catch (const std::invalid_argument &error) {
                    return std::string(error.what());
                }
            },
            ""};
}

} // namespace vmall::vmsim

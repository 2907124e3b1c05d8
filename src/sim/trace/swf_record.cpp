// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line of a log in the Standard Workload Format.
#include "sim/trace/swf_record.hpp"

#include "config/number.hpp"
#include "sim/trace/text.hpp"
#include "sim/trace/trace_error.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace vmall::sim {

namespace {

enum class Kind { whole, seconds, decimal };

struct Description {
    const char *name;
    Kind kind;
    bool may_be_unknown;  // -1
    std::int64_t highest; // of whole numbers
};

constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t highest_id = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t highest_count = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t highest_status = static_cast<std::int64_t>(SwfStatus::cancelled);

constexpr Description descriptions[swf_fields] = {
    {"job number", Kind::whole, false, highest_id},
    {"submit time", Kind::seconds, false, any},
    {"wait time", Kind::seconds, true, any},
    {"run time", Kind::seconds, true, any},
    {"allocated processors", Kind::whole, true, highest_count},
    {"average CPU time", Kind::decimal, true, any},
    {"used memory", Kind::decimal, true, any},
    {"requested processors", Kind::whole, true, highest_count},
    {"requested time", Kind::seconds, true, any},
    {"requested memory", Kind::decimal, true, any},
    {"status", Kind::whole, true, highest_status},
    {"user", Kind::whole, true, any},
    {"group", Kind::whole, true, any},
    {"executable", Kind::whole, true, highest_count},
    {"queue", Kind::whole, true, highest_count},
    {"partition", Kind::whole, true, highest_count},
    {"preceding job", Kind::whole, true, highest_id},
    {"think time", Kind::seconds, true, any},
};

std::string accepted(const Description &field) {
    std::string text = field.kind == Kind::seconds   ? "a number of seconds"
                       : field.kind == Kind::decimal ? "a number"
                                                     : "a whole number";
    if (field.kind == Kind::whole && field.highest != any)
        text += " from 0 to " + std::to_string(field.highest);
    return text + (field.may_be_unknown ? ", or -1" : "");
}

// Programs that calculate with fractions write 4.0, 4., -0.0 and -1.0,
std::string_view without_empty_fraction(std::string_view text) {
    const std::size_t last = text.find_last_not_of('0');
    const bool empty = last != std::string_view::npos && text[last] == '.' && last > 0;
    return empty ? text.substr(0, last) : text;
}

// or 4.000000e+00. What is no such number stays as it is.
std::string without_exponent(std::string_view text) {
    double number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end)
        return std::string(text);
    return (number < 0 ? "-" : "") + shortest_text(std::abs(number));
}

std::optional<std::int64_t> value_of(const Description &field, std::string_view written) {
    const bool has_exponent = written.find_first_of("eE") != std::string_view::npos;
    const std::string digits = has_exponent ? without_exponent(written) : "";
    const std::string_view text = without_empty_fraction(has_exponent ? digits : written);
    if (text == "-0")
        return 0;
    if (field.may_be_unknown && text == "-1")
        return -1;
    if (field.kind == Kind::seconds)
        return milliseconds(text);
    if (field.kind == Kind::whole)
        return config::whole_number(text, 0, field.highest);
    const auto number = decimal_number(text);
    if (!number || *number > 1e18)
        return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

} // namespace

SwfRecord parse_swf_line(std::string_view line) {
    constexpr std::string_view space = " \t";
    SwfRecord record = {};
    std::size_t count = 0;
    for (std::size_t begin = line.find_first_not_of(space); begin != std::string_view::npos;
         begin = line.find_first_not_of(space, begin), ++count) {
        const std::size_t end = std::min(line.find_first_of(space, begin), line.size());
        if (count < swf_fields) {
            const Description &field = descriptions[count];
            const std::string_view text = line.substr(begin, end - begin);
            const auto value = value_of(field, text);
            if (!value)
                throw BadLine{"field " + std::to_string(count + 1) + " (" + field.name + ") is " +
                              config::quoted(text) + " instead of " + accepted(field)};
            record.values[count] = *value;
        }
        begin = end;
    }
    if (count != swf_fields)
        throw BadLine{std::to_string(count) + " fields instead of " + std::to_string(swf_fields)};
    return record;
}

} // namespace vmall::sim

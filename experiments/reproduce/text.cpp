// SPDX-License-Identifier: GPL-2.0-or-later
//
// printf() rather than streams: the page must not depend on a locale's grouping.
#include "experiments/reproduce/text.hpp"

#include <cmath>
#include <cstdio>

namespace vmall::sim::reproduce {

std::string number(double value) {
    char text[64];
    const char *format = std::abs(value) >= 999.5 ? "%.0f" : "%.3g";
    std::snprintf(text, sizeof text, format, value);
    return std::string(text) == "-0" ? "0" : text;
}

std::string with_interval(const Sample &summary) {
    if (!std::isfinite(summary.low))
        return number(summary.mean) + " (one seed)";
    if (summary.low == summary.high)
        return number(summary.mean);
    return number(summary.mean) + " (" + number(summary.low) + " to " + number(summary.high) + ")";
}

std::string words(const Range &range) {
    if (range.low == range.high)
        return "exactly " + number(range.low);
    if (!std::isfinite(range.low))
        return (range.open ? "less than " : "at most ") + number(range.high);
    if (!std::isfinite(range.high))
        return (range.open ? "more than " : "at least ") + number(range.low);
    return number(range.low) + " to " + number(range.high);
}

} // namespace vmall::sim::reproduce

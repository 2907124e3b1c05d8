// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times as sacct prints them.
#include "sim/trace/sacct_time.hpp"

#include "common/split.hpp"
#include "config/number.hpp"
#include "sim/trace/text.hpp"

#include <algorithm>

namespace vmall::sim {

namespace {

constexpr policy::Seconds minute = 60, hour = 60 * minute, day = 24 * hour;
constexpr long long latest = 1LL << 40; // seconds; far enough from overflow

// Days since 1970-01-01 in the Gregorian calendar, from 1970 on.
long long days_before(int year, int month, int day_of_month) {
    const int y = month <= 2 ? year - 1 : year; // years begin in March: the leap day is the last
    const int months = (month + 9) % 12;
    const long long leap_days = y / 4 - y / 100 + y / 400;
    constexpr long long from_year_0_to_1970 = 719468;
    return 365LL * y + leap_days + (153 * months + 2) / 5 + day_of_month - 1 - from_year_0_to_1970;
}

bool leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in(int year, int month) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && leap(year) ? 29 : days[month - 1];
}

// Reads fixed-width text from the left; what does not fit makes it fail for good.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    int number(std::size_t digits, int lowest, int highest) {
        const auto value = rest_.size() < digits
                               ? std::nullopt
                               : config::whole_number(rest_.substr(0, digits), lowest, highest);
        good_ = good_ && value;
        if (!good_)
            return lowest;
        rest_.remove_prefix(digits);
        return static_cast<int>(*value);
    }

    bool skip(char c) {
        if (!good_ || rest_.empty() || rest_.front() != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char c) { good_ = skip(c); }
    bool at_end() const { return good_ && rest_.empty(); }

  private:
    std::string_view rest_;
    bool good_ = true;
};

std::optional<SacctTime> calendar_time(std::string_view text) {
    Scanner scan(text);
    const int year = scan.number(4, 1970, 9999);
    scan.expect('-');
    const int month = scan.number(2, 1, 12);
    scan.expect('-');
    const int day_of_month = scan.number(2, 1, days_in(year, month));
    scan.expect('T');
    SacctTime time;
    time.seconds = days_before(year, month, day_of_month) * day + scan.number(2, 0, 23) * hour;
    scan.expect(':');
    time.seconds += scan.number(2, 0, 59) * minute;
    scan.expect(':');
    time.seconds += scan.number(2, 0, 60); // a leap second
    if (scan.at_end())
        return time;
    time.zoned = true;
    if (scan.skip('Z'))
        return scan.at_end() ? std::optional(time) : std::nullopt;
    const bool east = scan.skip('+');
    if (!east)
        scan.expect('-');
    policy::Seconds offset = scan.number(2, 0, 23) * hour;
    scan.skip(':');
    offset += scan.number(2, 0, 59) * minute;
    time.seconds -= east ? offset : -offset;
    return scan.at_end() ? std::optional(time) : std::nullopt;
}

} // namespace

std::optional<SacctTime> parse_sacct_time(std::string_view text) {
    if (const auto seconds = config::whole_number(text, 1, latest))
        return SacctTime{*seconds, true};
    return calendar_time(text);
}

bool is_no_time(std::string_view text) {
    return text.empty() || text == "Unknown" || text == "None";
}

std::optional<policy::Seconds> parse_sacct_duration(std::string_view text) {
    policy::Seconds days = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto number = config::whole_number(text.substr(0, dash), 0, latest / day);
        if (!number)
            return std::nullopt;
        days = *number;
        text.remove_prefix(dash + 1);
    }
    auto parts = common::split(text.substr(0, text.find('.')), ':');
    if (parts.size() == 2)
        parts.insert(parts.begin(), "0");
    if (parts.size() != 3)
        return std::nullopt;
    const auto hours = config::whole_number(parts[0], 0, latest / hour);
    const auto minutes = config::whole_number(parts[1], 0, 59);
    const auto seconds = config::whole_number(parts[2], 0, 59);
    if (!hours || !minutes || !seconds)
        return std::nullopt;
    return days * day + *hours * hour + *minutes * minute + *seconds;
}

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers, times and dates as logs write them.
#include "sim/trace/sacct_time.hpp"
#include "sim/trace/text.hpp"
#include "suites.hpp"

namespace {

using namespace vmall;

struct TimeRow {
    const char *text;
    long long milliseconds; // -1: refused
};
const TimeRow seconds_rows[] = {
    {"0", 0},
    {"12", 12000},
    {"12.5", 12500},
    {"0.001", 1},
    {"0.0004", 0},
    {"0.0005", 1},
    {"1.99951", 2000},
    {"", -1},
    {"-1", -1},
    {"+1", -1},
    {"1.", -1},
    {".5", -1},
    {"1e3", -1},
    {"0x10", -1},
    {"1.2.3", -1},
    {" 1", -1},
    {"nan", -1},
    {"1,5", -1},
    {"99999999999999", -1},
};

START_TEST(seconds) {
    const TimeRow &row = seconds_rows[_i];
    const auto got = sim::milliseconds(row.text);
    ck_assert_msg(got.value_or(-1) == row.milliseconds, "%s", row.text);
    if (got && *got % 1000 == 0 && std::string(row.text).find('.') == std::string::npos)
        ck_assert_text(sim::seconds_text(*got), row.text);
}
END_TEST

START_TEST(fractions_are_written_without_zeros) {
    ck_assert_text(sim::seconds_text(12500), "12.5");
    ck_assert_text(sim::seconds_text(12050), "12.05");
    ck_assert_text(sim::seconds_text(1), "0.001");
}
END_TEST

const TimeRow duration_rows[] = {
    {"00:00:00", 0},
    {"00:01:30", 90},
    {"10:00:00", 36000},
    {"100:00:00", 360000},
    {"1-02:03:04", 93784},
    {"05:07.250", 307},
    {"05:07", 307},
    {"", -1},
    {"5", -1},
    {"1-5", -1},
    {"00:60:00", -1},
    {"00:00:60", -1},
    {"1:2:3:4", -1},
    {"-1:00:00", -1},
    {"a-00:00:01", -1},
    {"INVALID", -1},
    {"99999999999-00:00:00", -1},
};

START_TEST(durations_of_sacct) {
    const TimeRow &row = duration_rows[_i];
    ck_assert_msg(sim::parse_sacct_duration(row.text).value_or(-1) == row.milliseconds, "%s",
                  row.text);
}
END_TEST

struct DateRow {
    const char *text;
    long long seconds; // as `date -d TEXT +%s` says; -1: refused
    bool zoned;
};
const DateRow date_rows[] = {
    {"1970-01-01T00:00:00", 0, false},
    {"2000-02-29T12:34:56", 951827696, false},
    {"2024-02-29T00:00:00", 1709164800, false},
    {"2024-12-31T23:59:59", 1735689599, false},
    {"2100-03-01T00:00:00", 4107542400, false},
    {"2025-03-30T03:00:00+0200", 1743296400, true},
    {"2025-03-30T03:00:00+02:00", 1743296400, true},
    {"2025-03-29T20:00:00-0500", 1743296400, true},
    {"2025-03-30T01:00:00Z", 1743296400, true},
    {"1743296400", 1743296400, true},
    {"2023-02-29T00:00:00", -1, false},
    {"2024-13-01T00:00:00", -1, false},
    {"2024-00-01T00:00:00", -1, false},
    {"2024-01-32T00:00:00", -1, false},
    {"2024-01-01T24:00:00", -1, false},
    {"2024-01-01 00:00:00", -1, false},
    {"2024-01-01T00:00", -1, false},
    {"2024-01-01T00:00:00.5", -1, false},
    {"2024-01-01T00:00:00+25:00", -1, false},
    {"2024-01-01T00:00:00Zulu", -1, false},
    {"1969-12-31T23:59:59", -1, false},
    {"Unknown", -1, false},
    {"yesterday", -1, false},
    {"", -1, false},
    {"99999999999999999999", -1, false},
};

START_TEST(times_of_sacct) {
    const DateRow &row = date_rows[_i];
    const auto got = sim::parse_sacct_time(row.text);
    ck_assert_msg((got ? got->seconds : -1) == row.seconds, "%s: %lld", row.text,
                  got ? static_cast<long long>(got->seconds) : -1);
    if (got)
        ck_assert_msg(got->zoned == row.zoned, "%s", row.text);
}
END_TEST

} // namespace

TCase *number_tests() {
    TCase *tests = tcase_create("numbers and times");
    tcase_add_loop_test(tests, seconds, 0, std::size(seconds_rows));
    tcase_add_test(tests, fractions_are_written_without_zeros);
    tcase_add_loop_test(tests, durations_of_sacct, 0, std::size(duration_rows));
    tcase_add_loop_test(tests, times_of_sacct, 0, std::size(date_rows));
    return tests;
}

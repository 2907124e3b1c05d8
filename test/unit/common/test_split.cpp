// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list is as many parts as it has separators, and one more.
#include "common/split.hpp"
#include "run.hpp"

using vmall::common::split;

namespace {

struct Row {
    const char *text;
    std::vector<std::string_view> parts;
};

const std::vector<Row> rows = {
    {"", {""}},        {"a", {"a"}},      {"a,b", {"a", "b"}},      {",", {"", ""}},
    {"a,", {"a", ""}}, {",a", {"", "a"}}, {"a,,b", {"a", "", "b"}}, {"a b;c,d", {"a b;c", "d"}},
};

START_TEST(parts_of_a_text) {
    const Row &row = rows[static_cast<std::size_t>(_i)];
    ck_assert_msg(split(row.text, ',') == row.parts, "\"%s\"", row.text);
}
END_TEST

START_TEST(a_nul_is_no_end) {
    const std::string_view text("a\0,b", 4);
    ck_assert(split(text, ',') == (std::vector<std::string_view>{text.substr(0, 2), "b"}));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("split");
    tcase_add_loop_test(tests, parts_of_a_text, 0, static_cast<int>(rows.size()));
    tcase_add_test(tests, a_nul_is_no_end);
    return run("split", tests);
}

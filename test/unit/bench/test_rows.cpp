// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the bench of folding keeps of its runs, and that a wrong result does not get past it.
#include "fold_agreement.hpp"
#include "fold_row.hpp"
#include "run.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

using namespace vmall::bench;

namespace {

// A name that nobody has, for a file that goes away.
class TemporaryFile {
  public:
    TemporaryFile() { close(mkstemp(path.data())); }
    ~TemporaryFile() { std::remove(path.c_str()); }
    std::string text() const {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::string path = "/tmp/vmall-rows-XXXXXX";
};

Row row_of(const std::string &side, State state = State::measured) {
    Row row;
    row.table = "programs";
    row.program = "send.50x2, blockwise";
    row.mpl = 4;
    row.side = side;
    row.ranks = 8;
    row.cpus = 2;
    row.values = {1.25, 1.5};
    row.state = state;
    return row;
}

} // namespace

START_TEST(median_is_in_the_middle) {
    ck_assert_double_eq(median({3}), 3);
    ck_assert_double_eq(median({3, 1, 2}), 2);
    ck_assert_double_eq(median({4, 1, 3, 2}), 2.5);
}
END_TEST

START_TEST(result_must_agree_with_the_first_of_its_key) {
    Agreement agreement(1e-9);
    agreement.check("full", 100);
    agreement.check("short", 7);
    agreement.check("full", 100 + 1e-8);
    ck_assert_contains(refusal<std::runtime_error>([&] { agreement.check("full", 100.001); }),
                       "computed 100.001000 instead of 100.000000 (full)");
    ck_assert_contains(refusal<std::runtime_error>([&] { agreement.check("full", NAN); }),
                       "computed nan");
}
END_TEST

START_TEST(exact_result_may_not_differ_at_all) {
    Agreement agreement(0);
    agreement.check("8", 12345678);
    ck_assert_contains(refusal<std::runtime_error>([&] { agreement.check("8", 12345679); }),
                       "instead of");
}
END_TEST

START_TEST(row_is_printed_with_its_spread) {
    std::ostringstream out;
    print(row_of("ours"), out);
    ck_assert_contains(out.str(), "1.375 (1.250 to 1.500) of 2");
}
END_TEST

START_TEST(ended_row_is_printed_as_more_than_its_limit) {
    std::ostringstream out;
    Row row = row_of("stock", State::over);
    row.values = {20};
    print(row, out);
    ck_assert_contains(out.str(), "> 20\n");
}
END_TEST

START_TEST(measured_row_is_known_to_the_next_bench) {
    const TemporaryFile file;
    {
        Record record(file.path);
        ck_assert(!record.has(row_of("ours")));
        record.add(row_of("ours"));
        ck_assert(record.has(row_of("ours")));
    }
    Record again(file.path);
    ck_assert(again.has(row_of("ours")));
    ck_assert(!again.has(row_of("detect")));
    again.add(row_of("detect"));
    ck_assert_text(file.text(),
                   "table,program,grain_us,mpl,side,ranks,cpus,values,state,note\n"
                   "programs,send.50x2; blockwise,0,4,ours,8,2,1.25;1.5,measured,\n"
                   "programs,send.50x2; blockwise,0,4,detect,8,2,1.25;1.5,measured,\n");
}
END_TEST

START_TEST(failed_row_is_measured_again) {
    const TemporaryFile file;
    Record(file.path).add(row_of("ours", State::failed));
    Record(file.path).add(row_of("lewi", State::skipped));
    ck_assert(!Record(file.path).has(row_of("ours")));
    ck_assert(Record(file.path).has(row_of("lewi")));
}
END_TEST

START_TEST(note_cannot_break_the_line) {
    const TemporaryFile file;
    Row row = row_of("ours", State::failed);
    row.values.clear();
    row.note = "status 1, \"bad\"\nmore";
    Record(file.path).add(row);
    ck_assert_contains(file.text(), ",8,2,,failed,status 1; ;bad;\n");
    Record again(file.path);
}
END_TEST

START_TEST(foreign_file_is_refused) {
    const TemporaryFile file;
    std::ofstream(file.path) << "precious\n";
    ck_assert_contains(refusal<std::runtime_error>([&] { Record record(file.path); }),
                       "of another version of the bench");
    ck_assert_text(file.text(), "precious\n");
}
END_TEST

int main() {
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, median_is_in_the_middle);
    tcase_add_test(tests, result_must_agree_with_the_first_of_its_key);
    tcase_add_test(tests, exact_result_may_not_differ_at_all);
    tcase_add_test(tests, row_is_printed_with_its_spread);
    tcase_add_test(tests, ended_row_is_printed_as_more_than_its_limit);
    tcase_add_test(tests, measured_row_is_known_to_the_next_bench);
    tcase_add_test(tests, failed_row_is_measured_again);
    tcase_add_test(tests, note_cannot_break_the_line);
    tcase_add_test(tests, foreign_file_is_refused);
    return run("bench", tests);
}

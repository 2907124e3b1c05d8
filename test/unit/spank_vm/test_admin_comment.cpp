// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is noted in a job's AdminComment at its end, by what squeue says of it.
#include "run.hpp"
#include "spank_vm/agent/admin_comment.hpp"

#include <iterator>

using namespace vmall;
using agent::Said;

namespace {

struct Case {
    const char *squeue;
    const char *job; // that is noted; empty: none is
};
const Case cases[] = {
    {"7               7                                                               (null)\n",
     "7"},
    {"7               7                                                               \n", "7"},
    {"7               5_3             \n", "5_3"},
    {"9               5_4             \n7               5_3             \n", "5_3"},
    {"7               7               ticket 17       \n", ""},
    {"7               7               vmall: on n1 thi\n", ""},
    {"9               9               \n", ""},
    {"", ""},
    {"slurm_load_jobs error: Invalid job id specified\n", ""},
};

START_TEST(job_that_runs_and_has_no_comment_gets_one) {
    std::string noted;
    agent::note_in_admin_comment(
        7, "vmall: a note",
        [&](const std::string &command, const std::vector<std::string> &arguments) {
            if (command == "squeue")
                return Said{0, cases[_i].squeue};
            ck_assert_text(command, "scontrol");
            ck_assert_uint_eq(arguments.size(), 3);
            ck_assert_text(arguments[0], "update");
            ck_assert_text(arguments[2], "AdminComment=vmall: a note");
            noted = arguments[1].substr(std::string("JobId=").size());
            return Said{};
        });
    ck_assert_text(noted, cases[_i].job);
}
END_TEST

START_TEST(refusal_is_said_as_slurm_says_it) {
    std::string said;
    try {
        agent::note_in_admin_comment(
            7, "vmall: a note",
            [](const std::string &command, const std::vector<std::string> &) {
                return command == "squeue" ? Said{0, "7 7\n"} : Said{1, "Access denied\nmore\n"};
            });
    } catch (const std::exception &error) {
        said = error.what();
    }
    ck_assert_text(said, "Access denied");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("admin_comment");
    tcase_add_loop_test(tests, job_that_runs_and_has_no_comment_gets_one, 0, std::size(cases));
    tcase_add_test(tests, refusal_is_said_as_slurm_says_it);
    return run("admin_comment", tests);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// SchedulerParameters: which are named to the administrator, and what the manual page says.
#include "config/scheduler_parameters.hpp"
#include "run.hpp"

#include <fstream>
#include <sstream>
#include <vector>

using namespace vmall::config;

namespace {

struct Given {
    const char *text;
    std::vector<std::string> without_effect;
};

const std::vector<Given> given = {
    {"", {}},
    {"defer,bf_interval=30", {}},
    {"bf_max_job_user=10", {"bf_max_job_user=10"}},
    {"bf_continue,bf_max_job_user_part=3,defer,assoc_limit_stop",
     {"bf_max_job_user_part=3", "assoc_limit_stop"}},
    {"no_such_parameter,,bf_licenses,", {"bf_licenses"}},
};

START_TEST(names_what_has_no_effect) {
    ck_assert(without_effect(given[_i].text) == given[_i].without_effect);
}
END_TEST

START_TEST(the_manual_page_names_them) {
    const std::string name(parameters_for_others()[_i]);
    std::ostringstream page;
    page << std::ifstream(MANUAL).rdbuf();
    ck_assert_msg(page.str().find(".BR " + name + " ") != std::string::npos ||
                      page.str().find(".B " + name + "\n") != std::string::npos,
                  "%s", name.c_str());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("scheduler parameters");
    tcase_add_loop_test(tests, names_what_has_no_effect, 0, static_cast<int>(given.size()));
    tcase_add_loop_test(tests, the_manual_page_names_them, 0,
                        static_cast<int>(parameters_for_others().size()));
    return run("scheduler parameters", tests);
}

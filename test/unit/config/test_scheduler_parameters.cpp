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

// The part of the page that lists the parameters of one effect.
std::string listed(Effect effect) {
    static const char *const headings[] = {"\n.B Applied to all jobs\n",
                                           "\n.B Applied to the work of Slurm's own scheduling",
                                           "\n.B Not applied to virtually malleable jobs\n"};
    std::ostringstream page;
    page << std::ifstream(MANUAL).rdbuf();
    const std::string text = page.str();
    const std::size_t begin = text.find(headings[static_cast<int>(effect)]);
    ck_assert(begin != std::string::npos);
    return text.substr(begin, text.find("\n.TP\n", begin) - begin);
}

START_TEST(the_manual_page_lists_every_parameter_where_it_belongs) {
    const SchedulerParameter &parameter = scheduler_parameters()[_i];
    const std::string name = parameter.name, list = listed(parameter.effect);
    ck_assert_msg(list.find(".BR " + name + " ") != std::string::npos ||
                      list.find(".B " + name + "\n") != std::string::npos,
                  "%s", parameter.name);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("scheduler parameters");
    tcase_add_loop_test(tests, names_what_has_no_effect, 0, static_cast<int>(given.size()));
    tcase_add_loop_test(tests, the_manual_page_lists_every_parameter_where_it_belongs, 0,
                        static_cast<int>(scheduler_parameters().size()));
    return run("scheduler parameters", tests);
}

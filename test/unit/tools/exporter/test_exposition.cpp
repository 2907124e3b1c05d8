// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text that Prometheus reads, to the letter.
#include "run.hpp"
#include "tools/vmctl/exposition.hpp"

using namespace vmall;
using wire::MetricType;

namespace {

START_TEST(each_type_is_written_as_prometheus_reads_it) {
    const std::vector<wire::MetricFamily> metrics{
        {"folds_total", MetricType::counter, "Folds.", {{{{"partition", "a\"b\\c\nd"}}, 3}}},
        {"lent", MetricType::gauge, "Cores.", {{{}, 1.5}}},
        {"none_total", MetricType::counter, "Nothing yet.", {}},
        {"seconds",
         MetricType::histogram,
         "Times.",
         {{{{"direction", "fold"}}, 2.25, 3, {{0.5, 1}, {1, 2}}}}}};
    ck_assert_text(vmctl::exposition(vmctl::families_of(metrics)),
                   "# HELP slurm_vm_up Whether the controller's plugin answers, or slurmctld "
                   "with mode=node.\n"
                   "# TYPE slurm_vm_up gauge\n"
                   "slurm_vm_up 1\n"
                   "# HELP folds_total Folds.\n"
                   "# TYPE folds_total counter\n"
                   "folds_total{partition=\"a\\\"b\\\\c\\nd\"} 3\n"
                   "# HELP lent Cores.\n"
                   "# TYPE lent gauge\n"
                   "lent 1.5\n"
                   "# HELP none_total Nothing yet.\n"
                   "# TYPE none_total counter\n"
                   "# HELP seconds Times.\n"
                   "# TYPE seconds histogram\n"
                   "seconds_count{direction=\"fold\"} 3\n"
                   "seconds_sum{direction=\"fold\"} 2.25\n"
                   "seconds_bucket{direction=\"fold\",le=\"0.5\"} 1\n"
                   "seconds_bucket{direction=\"fold\",le=\"1\"} 2\n"
                   "seconds_bucket{direction=\"fold\",le=\"+Inf\"} 3\n");
}
END_TEST

START_TEST(without_an_answer_it_says_just_that) {
    ck_assert_text(vmctl::exposition(vmctl::families_without_answer()),
                   "# HELP slurm_vm_up Whether the controller's plugin answers, or slurmctld "
                   "with mode=node.\n"
                   "# TYPE slurm_vm_up gauge\n"
                   "slurm_vm_up 0\n");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("exposition");
    tcase_add_test(tests, each_type_is_written_as_prometheus_reads_it);
    tcase_add_test(tests, without_an_answer_it_says_just_that);
    return run("exposition", tests);
}

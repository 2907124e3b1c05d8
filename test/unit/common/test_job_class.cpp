// SPDX-License-Identifier: GPL-2.0-or-later
//
// A class has one name.
#include "common/job_class.hpp"
#include "run.hpp"

using namespace vmall::common;

namespace {

START_TEST(a_name_is_of_the_class_that_has_it) {
    for (const JobClass job_class : job_classes)
        ck_assert(job_class_named(name_of(job_class)) == job_class);
}
END_TEST

START_TEST(nothing_else_is_a_name) {
    for (const char *text : {"", "Short", "long ", "longer", "short_job", "medium"})
        ck_assert_msg(!job_class_named(text), "\"%s\"", text);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("job class");
    tcase_add_test(tests, a_name_is_of_the_class_that_has_it);
    tcase_add_test(tests, nothing_else_is_a_name);
    return run("job class", tests);
}

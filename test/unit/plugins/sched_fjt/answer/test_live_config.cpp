// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a scheduler goes by when vmall.conf cannot be read as it starts.
#include "plugins/sched_fjt/answer/live_config.hpp"
#include "run.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace vmall;
using namespace vmall::sched;

namespace {

std::string path;
std::optional<std::string> last_read;

void say(const char *text) {
    std::ofstream(path) << text;
}

void nothing_read() {
    last_read.reset();
}

START_TEST(the_first_scheduler_does_not_start_with_a_bad_file) {
    say("ScheduleInterval=never\n");
    const std::string why = refusal<config::ConfigError>([] { LiveConfig live(path, last_read); });
    ck_assert_msg(why.find("ScheduleInterval") != std::string::npos, "%s", why.c_str());
    ck_assert(!last_read);
}
END_TEST

START_TEST(the_next_one_goes_by_what_the_first_has_read) {
    say("Sizing = psa # of the papers\nScheduleInterval=7\n");
    LiveConfig(path, last_read);
    // Text, with nothing in it that a plugin takes along when it is unloaded.
    ck_assert_str_eq(last_read->c_str(), "ScheduleInterval=7\nSizing=psa\n");
    say("ScheduleInterval=never\n");
    const LiveConfig next(path, last_read);
    ck_assert_int_eq(next.get().schedule_interval, 7);
    ck_assert(next.get().policy.sizing == "psa");
    ck_assert(next.complaint().find("ScheduleInterval") != std::string::npos);
}
END_TEST

START_TEST(the_next_one_goes_by_what_the_first_has_read_again) {
    say("ScheduleInterval=7\n");
    LiveConfig first(path, last_read);
    say("ScheduleInterval=8\n");
    first.read_again();
    std::filesystem::remove(path);
    ck_assert_int_eq(LiveConfig(path, last_read).get().schedule_interval, 8);
}
END_TEST

} // namespace

int main() {
    char directory[] = "/tmp/vmall-live-config-XXXXXX";
    if (!mkdtemp(directory)) {
        perror(directory);
        return EXIT_FAILURE;
    }
    path = std::string(directory) + "/vmall.conf";
    TCase *tests = tcase_create("live config");
    tcase_add_checked_fixture(tests, nothing_read, nullptr);
    tcase_add_test(tests, the_first_scheduler_does_not_start_with_a_bad_file);
    tcase_add_test(tests, the_next_one_goes_by_what_the_first_has_read);
    tcase_add_test(tests, the_next_one_goes_by_what_the_first_has_read_again);
    const int status = run("live config", tests);
    std::filesystem::remove_all(directory);
    return status;
}

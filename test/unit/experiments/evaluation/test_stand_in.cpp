// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program itself, with a control block that the test writes in the agent's place.
#include "experiments/evaluation/modelled_run.hpp"
#include "libvmrt/stage.hpp"
#include "run.hpp"

#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>

using namespace vmall;
using namespace vmall::test;
using namespace std::chrono_literals;

namespace {

// FT.A with 8 processes runs for 28 s: 2.8 s at this clock.
const std::vector<std::string> command = {STAND_IN, "--application=FT.A", "--processes=8",
                                          "--folding-cost=1.04,1.11", "--clock=10"};

struct Event {
    std::string what;
    double time;
    std::string rest; // of the line
};

std::vector<Event> events(const std::string &output) {
    std::vector<Event> all;
    std::istringstream lines(output);
    for (std::string mark; lines >> mark;) {
        Event event;
        lines >> event.what >> event.time;
        std::getline(lines, event.rest);
        ck_assert_msg(mark == "stand-in:" && lines, "%s", output.c_str());
        all.push_back(event);
    }
    return all;
}

double number_after(const Event &event, const std::string &key) {
    const auto found = event.rest.find(" " + key + "=");
    ck_assert_msg(found != std::string::npos, "%s", event.rest.c_str());
    return std::stod(event.rest.substr(found + key.size() + 2));
}

evaluation::Nanoseconds nanoseconds(double seconds) {
    return std::llround(seconds * 1e9);
}

// When it should have ended, by its record of when it had what. Its times are to the microsecond.
double end_by_the_model(const std::vector<Event> &record) {
    evaluation::ModelledRun run(sim::find_application(sim::thesis_applications(), "FT.A"), 8,
                                sim::parse_folding_cost("1.04,1.11"), 10, 0);
    const double begin = record.front().time;
    for (const Event &event : record) {
        const auto time = nanoseconds(event.time - begin);
        if (event.what == "has")
            run.fold(static_cast<int>(number_after(event, "mpl")), time);
        else if (event.what == "suspended")
            run.suspend(time);
        else if (event.what == "resumed")
            run.resume(time);
    }
    return begin + static_cast<double>(run.end()) / 1e9;
}

// Not before, and late only by what a busy machine makes of its last wake-up.
void assert_ended_on_time(const std::vector<Event> &record) {
    const Event &end = record.back();
    ck_assert_str_eq(end.what.c_str(), "ends");
    ck_assert_double_eq_tol(number_after(end, "due"), end_by_the_model(record), 1e-4);
    ck_assert_double_ge(end.time, number_after(end, "due"));
    ck_assert_double_le(end.time, number_after(end, "due") + 60);
}

std::vector<Event> record_of(Program program) {
    const auto outcome = program.wait();
    ck_assert_msg(outcome.succeeded(), "%s", outcome.output.c_str());
    return events(outcome.output);
}

START_TEST(ends_when_the_model_says_through_folds_and_unfolds) {
    Stage stage;
    stage.allot({0}, 0, 1);
    Program program = stage.start_task(command, "");
    ck_assert(program.await(" mpl=1"));
    for (const std::uint32_t mpl : {2, 4, 3}) {
        std::this_thread::sleep_for(200ms);
        stage.allot({0}, 0, mpl);
        ck_assert(program.await(" mpl=" + std::to_string(mpl)));
    }
    const auto record = record_of(std::move(program));
    ck_assert_double_eq(number_after(record[0], "processes"), 8);
    ck_assert_double_eq(number_after(record[1], "cores"), 1);
    ck_assert_uint_eq(record.size(), 6);
    assert_ended_on_time(record);
    ck_assert_double_ge(record.back().time - record.front().time, 2.8);
}
END_TEST

START_TEST(starts_folded) {
    Stage stage;
    stage.allot({0}, 0, 4);
    const auto record = record_of(stage.start_task(command, ""));
    ck_assert_double_eq(number_after(record[1], "mpl"), 4);
    assert_ended_on_time(record);
    // 89 s with one process, 28 with 8: on a straight line between, 67.9 with 2.
    ck_assert_double_eq_tol(number_after(record.back(), "due") - record.front().time, 6.79 * 1.11,
                            0.01);
}
END_TEST

START_TEST(stands_for_a_recorded_job) {
    Stage stage;
    stage.allot({0}, 0, 4);
    const std::vector<std::string> recorded = {STAND_IN, "--seconds=1.5", "--processes=8",
                                               "--folding-cost=1.04,1.11", "--clock=10"};
    const auto record = record_of(stage.start_task(recorded, ""));
    ck_assert_double_eq_tol(number_after(record.back(), "due") - record.front().time,
                            0.15 * 4 * 1.11, 0.01);
}
END_TEST

START_TEST(runs_rigid_without_a_control_block) {
    const auto record = record_of(Program(command, {}));
    ck_assert_uint_eq(record.size(), 2);
    assert_ended_on_time(record);
    ck_assert_double_ge(record.back().time - record.front().time, 2.8);
}
END_TEST

// SIGTSTP stops a program that does not handle it; the SIGSTOP that follows stops any.
START_TEST(gets_nowhere_while_slurm_has_it_suspended) {
    Program program(command, {});
    ck_assert(program.await("begins"));
    const auto send = [&](int signal) { ck_assert_int_eq(kill(program.pid(), signal), 0); };
    for (const bool stopped : {false, true}) {
        send(SIGTSTP);
        ck_assert(program.await("suspended"));
        if (stopped)
            send(SIGSTOP);
        std::this_thread::sleep_for(1s);
        send(SIGCONT);
        ck_assert(program.await("resumed"));
    }
    const auto record = record_of(std::move(program));
    ck_assert_uint_eq(record.size(), 6);
    for (const int first : {1, 3}) {
        ck_assert_str_eq(record[first].what.c_str(), "suspended");
        ck_assert_str_eq(record[first + 1].what.c_str(), "resumed");
        ck_assert_double_ge(record[first + 1].time - record[first].time, 0.9);
    }
    assert_ended_on_time(record);
    ck_assert_double_ge(record.back().time - record.front().time, 2.8 + 2 * 0.9);
}
END_TEST

START_TEST(only_the_first_process_of_a_node_tells) {
    ck_assert_uint_eq(record_of(Program(command, {"SLURM_PROCID=4", "SLURM_LOCALID=1"})).size(), 0);
    const auto record =
        record_of(Program(command, {"SLURM_PROCID=3", "SLURM_LOCALID=0", "SLURMD_NODENAME=n2"}));
    ck_assert_uint_eq(record.size(), 2);
    for (const Event &event : record)
        ck_assert_contains(event.rest, " node=n2 ");
}
END_TEST

struct Bad {
    std::vector<std::string> environment;
    std::vector<std::string> words; // the first in the place of the same option, others beside it
    const char *said;
};

const Bad bad[] = {
    {{VMALL_ENV_CONTROL "=/nonexistent"}, {}, "/nonexistent is no control block of root's"},
    {{}, {"--application=XX"}, "XX"},
    {{}, {"--application=FT.A", "--seconds=1"}, "Exactly 1 option from"},
    {{}, {"--folding-cost=0.5"}, "folding cost \"0.5\" is not a number from 1 to 1000"},
    {{}, {"--processes=0"}, "--processes"},
    {{}, {"--application=FT.A", "--useful=101"}, "--useful"},
};

START_TEST(refuses) {
    std::vector<std::string> words = {STAND_IN};
    const auto &other = bad[_i].words;
    for (std::size_t i = 1; i < command.size(); i++) {
        const std::string key = command[i].substr(0, command[i].find('='));
        const bool replaced = !other.empty() && other[0].compare(0, key.size(), key) == 0;
        words.push_back(replaced ? other[0] : command[i]);
    }
    if (other.size() > 1)
        words.insert(words.end(), other.begin() + 1, other.end());
    const auto outcome = Program(words, bad[_i].environment).wait();
    ck_assert(!outcome.succeeded());
    ck_assert_contains(outcome.output, bad[_i].said);
}
END_TEST

START_TEST(has_a_slot_if_it_waits_for_a_part_of_its_time) {
    Stage stage;
    stage.allot({0});
    std::vector<std::string> words = command;
    words.emplace_back("--useful=40");
    Program program = stage.start_task(words, "");
    ck_assert(program.await("begins"));
    ck_assert(stage.ranks() == std::vector<pid_t>{program.pid()});
    assert_ended_on_time(record_of(std::move(program)));
}
END_TEST

START_TEST(ends_where_the_control_block_is_damaged) {
    Stage stage;
    stage.allot({0}, 0, 0);
    const auto outcome = stage.start_task(command, "").wait();
    ck_assert(!outcome.succeeded());
    ck_assert_contains(outcome.output, "the control block says what cannot be");
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(1))
        return skipped;
    TCase *tests = tcase_create("stand-in");
    tcase_add_test(tests, ends_when_the_model_says_through_folds_and_unfolds);
    tcase_add_test(tests, starts_folded);
    tcase_add_test(tests, stands_for_a_recorded_job);
    tcase_add_test(tests, runs_rigid_without_a_control_block);
    tcase_add_test(tests, gets_nowhere_while_slurm_has_it_suspended);
    tcase_add_test(tests, only_the_first_process_of_a_node_tells);
    tcase_add_loop_test(tests, refuses, 0, std::size(bad));
    tcase_add_test(tests, has_a_slot_if_it_waits_for_a_part_of_its_time);
    tcase_add_test(tests, ends_where_the_control_block_is_damaged);
    return run("stand-in", tests);
}

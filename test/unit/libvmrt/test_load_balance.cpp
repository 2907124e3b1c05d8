// SPDX-License-Identifier: GPL-2.0-or-later
//
// The load-balance detector on made-up series of counters, and its sampling of the runtime page.
#include "libvmrt/detector.hpp"
#include "libvmrt/shared_word.hpp"
#include "run.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace vmall::runtime;

namespace {

using Shares = std::vector<double>; // work of each rank per step, the greatest being 1

Shares balanced(std::size_t ranks) {
    return Shares(ranks, 1.0);
}

// The thesis' synthetic program: odd ranks compute `factor` times as long as even ones.
Shares send_50x(double factor, std::size_t ranks = 8) {
    Shares shares(ranks, 1.0);
    for (std::size_t i = 0; i < ranks; i += 2)
        shares[i] = 1 / factor;
    return shares;
}

// A job on the detector's bench.
class Series {
  public:
    // With a place for each rank, or as many ranks in each.
    explicit Series(std::size_t ranks, double noise = 0, unsigned seed = 1,
                    std::size_t in_a_place = 1)
        : in_a_place_(in_a_place), noise_(noise), random_(seed) {
        resize(ranks);
    }

    void resize(std::size_t ranks) {
        counters_.resize(ranks);
        for (std::size_t i = 0; i < ranks; ++i)
            counters_[i].place = static_cast<std::uint32_t>(i / in_a_place_);
    }

    // One sample: on average a step of 2 ms per sample, and `switches` per rank and step.
    vmall_run_queues step(const Shares &shares, const std::vector<double> &switches) {
        for (std::size_t i = 0; i < counters_.size(); ++i) {
            counters_[i].switches += whole(switches[i]);
            counters_[i].useful_ns += whole(2e6 * shares[i]);
        }
        return queues_ = detector_->sample(counters_.data(),
                                           static_cast<std::uint32_t>(counters_.size()));
    }

    // Regular work.
    vmall_run_queues run(const Shares &shares, int samples) {
        std::vector<double> switches;
        for (std::size_t i = 0; i < shares.size(); ++i)
            switches.push_back(10 + 20 * (1 - shares[i])); // who has less to do waits more
        for (int i = 0; i < samples; ++i) {
            const vmall_run_queues before = queues_;
            changes_ += step(shares, switches) != before;
        }
        return queues_;
    }

    // Initialization: in every sample another rank works, alone or with few others.
    void run_chaos(int samples) {
        for (int i = 0; i < samples; ++i) {
            Shares shares(counters_.size(), 0.0);
            std::vector<double> switches(counters_.size(), 0.0);
            const std::size_t busy = 1 + random_() % counters_.size();
            for (std::size_t rank = 0; rank < busy; ++rank) {
                shares[rank] = 1;
                switches[rank] = static_cast<double>(random_() % 100);
            }
            step(shares, switches);
        }
    }

    std::vector<Counters> &counters() { return counters_; }
    LoadBalance &detector() { return *detector_; }
    int changes() const { return changes_; }

  private:
    std::uint64_t whole(double mean) {
        const double factor = 1 + noise_ * (2 * static_cast<double>(random_() % 10001) / 1e4 - 1);
        return static_cast<std::uint64_t>(mean * factor + 0.5);
    }

    std::unique_ptr<LoadBalance> detector_ = std::make_unique<LoadBalance>();
    std::vector<Counters> counters_;
    std::size_t in_a_place_;
    double noise_;
    std::mt19937 random_;
    vmall_run_queues queues_ = VMALL_QUEUES_LOCAL;
    int changes_ = 0;
};

constexpr int one_second = 100; // in samples

START_TEST(equation_4_1) {
    const double same[] = {4, 4, 4}, apart[] = {2, 4, 4, 4, 5, 5, 7, 9}, none[] = {0, 0};
    ck_assert(variation_of_switches(same, 3) == 0);
    ck_assert_double_eq_tol(variation_of_switches(apart, 8), 2.0 / 5, 1e-12);
    ck_assert(variation_of_switches(none, 2) == 0);
    ck_assert(variation_of_switches(none, 0) == 0);
}
END_TEST

struct IdlenessCase {
    double sum, greatest;
    std::uint32_t count;
    double expected;
};

const IdlenessCase idleness_cases[] = {
    {8, 1, 8, 0},
    {6, 1, 8, 0.25},
    {4 + 4 / 3.0, 1, 8, 1 / 3.0},
    {4 + 4 / 6.0, 1, 8, 5 / 12.0},
    {1, 1, 4, 3 / 4.0},
    {0, 0, 4, 0},
    {0, 0, 0, 0},
    {5, 5, 1, 0},
};

START_TEST(idleness_as_in_figure_4_3) {
    const IdlenessCase &row = idleness_cases[_i];
    ck_assert_double_eq_tol(idleness(row.sum, row.greatest, row.count), row.expected, 1e-12);
}
END_TEST

struct ProgramCase {
    const char *name;
    Shares shares;
    double noise;
    vmall_run_queues expected;
};

const std::vector<ProgramCase> program_cases = {
    {"balanced", balanced(8), 0, VMALL_QUEUES_LOCAL},
    {"one rank", balanced(1), 0, VMALL_QUEUES_LOCAL},
    {"two ranks", balanced(2), 0, VMALL_QUEUES_LOCAL},
    {"as many ranks as there can be", balanced(VMALL_RUNTIME_SLOTS), 0.1, VMALL_QUEUES_LOCAL},
    {"IP of 9 %, as lu", {1, .88, .88, .88}, 0, VMALL_QUEUES_LOCAL},
    {"IP of 12 %", {1, .84, .84, .84}, 0, VMALL_QUEUES_GLOBAL},
    {"send.50x2", send_50x(2), 0, VMALL_QUEUES_GLOBAL},
    {"send.50x3", send_50x(3), 0, VMALL_QUEUES_GLOBAL},
    {"send.50x6", send_50x(6), 0, VMALL_QUEUES_GLOBAL},
    {"one rank does all", {1, 0, 0, 0}, 0, VMALL_QUEUES_GLOBAL},
    {"balanced, noisy", balanced(8), 0.5, VMALL_QUEUES_LOCAL},
    {"balanced, many and noisy", balanced(32), 0.5, VMALL_QUEUES_LOCAL},
    {"send.50x2, noisy", send_50x(2), 0.5, VMALL_QUEUES_GLOBAL},
};

START_TEST(programs_get_their_queues) {
    const ProgramCase &row = program_cases[static_cast<std::size_t>(_i)];
    Series series(row.shares.size(), row.noise);
    ck_assert_msg(series.run(row.shares, 20) == VMALL_QUEUES_LOCAL, "%s: began global", row.name);
    ck_assert_msg(series.run(row.shares, 5 * one_second) == row.expected, "%s", row.name);
    series.run(row.shares, 60 * one_second);
    ck_assert_msg(series.changes() == (row.expected == VMALL_QUEUES_GLOBAL), "%s: %d changes",
                  row.name, series.changes());
}
END_TEST

struct PlacesCase {
    const char *name;
    Shares shares;
    std::size_t in_a_place;
    vmall_run_queues expected;
};

const std::vector<PlacesCase> places_cases = {
    {"send.50x6, odd and even share CPUs", send_50x(6), 4, VMALL_QUEUES_LOCAL},
    {"send.50x6, pairs", send_50x(6), 2, VMALL_QUEUES_LOCAL},
    {"the upper half has more", {.5, .5, .5, .5, 1, 1, 1, 1}, 4, VMALL_QUEUES_GLOBAL},
    {"one of eight has more: IP of 5 %", {1, 1, 1, 1, 1, 1, 1, 1.4}, 4, VMALL_QUEUES_LOCAL},
    {"one of eight has everything", {0, 0, 0, 0, 0, 0, 0, 1}, 4, VMALL_QUEUES_GLOBAL},
    {"two and one on their CPUs", balanced(3), 2, VMALL_QUEUES_GLOBAL},
    {"all share a CPU", send_50x(6), 8, VMALL_QUEUES_LOCAL},
};

START_TEST(what_ranks_of_a_place_even_out_does_not_count) {
    const PlacesCase &row = places_cases[static_cast<std::size_t>(_i)];
    Series series(row.shares.size(), 0.2, 1, row.in_a_place);
    ck_assert_msg(series.run(row.shares, 5 * one_second) == row.expected, "%s", row.name);
}
END_TEST

START_TEST(a_quiet_program_is_decided_within_a_second) {
    Series series(8);
    ck_assert(series.run(send_50x(2), one_second) == VMALL_QUEUES_GLOBAL);
}
END_TEST

START_TEST(after_any_initialization_the_program_is_judged) {
    for (unsigned seed = 1; seed <= 20; ++seed)
        for (const vmall_run_queues right : {VMALL_QUEUES_LOCAL, VMALL_QUEUES_GLOBAL}) {
            Series series(8, 0, seed);
            series.run_chaos(one_second);
            const Shares shares = right == VMALL_QUEUES_LOCAL ? balanced(8) : send_50x(2);
            ck_assert_msg(series.run(shares, 10 * one_second) == right, "seed %u", seed);
        }
}
END_TEST

START_TEST(a_program_that_never_waits_is_not_judged) {
    Series series(4);
    for (int i = 0; i < 10 * one_second; ++i)
        ck_assert(series.step(send_50x(6, 4), {0, 0, 0, 0}) == VMALL_QUEUES_LOCAL);
}
END_TEST

// Useful time is counted when a turn ends: after few turns, some ranks are one ahead.
START_TEST(long_turns_do_not_make_a_balanced_program_imbalanced) {
    constexpr int turn = 13; // samples: 130 ms, one rank after the other
    Series series(4);
    for (int i = 0; i < 80 * one_second; ++i) {
        Shares shares(4, 0.0);
        if (i % turn == 0)
            shares[static_cast<std::size_t>(i / turn % 4)] = 65;
        const vmall_run_queues queues = series.step(shares, {1, 1, 1, 1});
        ck_assert_msg(queues == VMALL_QUEUES_LOCAL, "sample %d", i);
    }
}
END_TEST

// Whose work is uneven, but whose switches are not those of regular work yet.
START_TEST(a_drifting_variation_is_not_steady) {
    Series series(2);
    for (int window = 0; window < 10; ++window)
        for (int i = 0; i < 10; ++i) {
            const double apart = window % 2 == 0 ? 0 : 90;
            ck_assert(series.step({1, .5}, {100 + apart, 100 - apart}) == VMALL_QUEUES_LOCAL);
        }
}
END_TEST

// Windows double with each that disagrees: so long ones have turns enough to judge by, and only
// their agreement decides when.
START_TEST(steady_is_what_three_windows_in_a_row_agree_on) {
    Series series(2);
    const auto window = [&](int samples, bool even) {
        const double apart = even ? 0 : 90;
        vmall_run_queues queues = VMALL_QUEUES_LOCAL;
        for (int i = 0; i < samples; ++i)
            queues = series.step({1, .5}, {100 + apart, 100 - apart});
        return queues;
    };
    window(1, false); // what is there at the start
    bool even = false;
    for (const int samples : {10, 10, 20, 40}) {
        ck_assert(window(samples, even) == VMALL_QUEUES_LOCAL);
        even = !even;
    }
    ck_assert(window(80, true) == VMALL_QUEUES_LOCAL); // as the one before
    ck_assert(window(79, true) == VMALL_QUEUES_LOCAL);
    ck_assert(window(1, true) == VMALL_QUEUES_GLOBAL);
}
END_TEST

START_TEST(work_of_the_initialization_does_not_count) {
    Series series(4);
    for (int i = 0; i < 60; ++i) { // one rank reads the input
        const double waits = i / 10 % 2 == 0 ? 10 : 100;
        series.step({20, 0, 0, 0}, {0, 10, 20, waits});
    }
    ck_assert(series.run(balanced(4), 3 * one_second) == VMALL_QUEUES_LOCAL);
    ck_assert(series.changes() == 0);
}
END_TEST

START_TEST(phases_that_change_are_followed) {
    Series series(8, 0.2);
    ck_assert(series.run(balanced(8), 10 * one_second) == VMALL_QUEUES_LOCAL);
    ck_assert(series.run(send_50x(2), 10 * one_second) == VMALL_QUEUES_GLOBAL);
    ck_assert(series.run(balanced(8), 20 * one_second) == VMALL_QUEUES_LOCAL);
}
END_TEST

START_TEST(a_short_phase_is_waited_out) {
    Series series(8, 0.2);
    series.run(balanced(8), 10 * one_second);
    series.run(send_50x(3), one_second);
    series.run(balanced(8), 10 * one_second);
    ck_assert_msg(series.changes() == 0, "%d changes", series.changes());
}
END_TEST

START_TEST(short_phases_do_not_add_up) {
    Series series(8, 0.2);
    for (int i = 0; i < 20; ++i) {
        series.run(balanced(8), 4 * one_second);
        series.run(send_50x(3), one_second);
    }
    ck_assert_msg(series.changes() == 0, "%d changes", series.changes());
}
END_TEST

START_TEST(around_the_border_nothing_changes) {
    Series series(4);
    ck_assert(series.run({1, .88, .88, .88}, 10 * one_second) == VMALL_QUEUES_LOCAL); // 9 %
    ck_assert(series.run({1, .85, .85, .85}, 60 * one_second) == VMALL_QUEUES_LOCAL); // 11 %
    ck_assert(series.changes() == 0);
}
END_TEST

// Every half minute the program does the opposite: twelve minutes.
START_TEST(changes_get_rarer) {
    Series series(8);
    for (int phase = 0; phase < 24; ++phase)
        series.run(phase % 2 == 0 ? balanced(8) : send_50x(3), 30 * one_second);
    ck_assert_msg(series.changes() >= 2 && series.changes() <= 6, "%d changes", series.changes());
}
END_TEST

START_TEST(more_ranks_begin_detection_again) {
    Series series(4);
    ck_assert(series.run(send_50x(3, 4), 5 * one_second) == VMALL_QUEUES_GLOBAL);
    series.resize(8);
    ck_assert(series.run(send_50x(3), 1) == VMALL_QUEUES_LOCAL);
    ck_assert(series.run(send_50x(3), 5 * one_second) == VMALL_QUEUES_GLOBAL);
    series.resize(2);
    ck_assert(series.run(send_50x(3, 2), 1) == VMALL_QUEUES_LOCAL);
    ck_assert(series.run(send_50x(3, 2), 5 * one_second) == VMALL_QUEUES_GLOBAL);
    series.detector().restart();
    ck_assert(series.run(send_50x(3, 2), 1) == VMALL_QUEUES_LOCAL);
}
END_TEST

// Sooner than by contradictions of what was decided before.
START_TEST(a_counter_that_goes_back_begins_detection_again) {
    Series series(4);
    ck_assert(series.run(send_50x(3, 4), 5 * one_second) == VMALL_QUEUES_GLOBAL);
    series.counters()[2] = {0, 0, 2};
    ck_assert(series.run(balanced(4), 2 * one_second) == VMALL_QUEUES_LOCAL);
}
END_TEST

START_TEST(counters_that_jump_do_no_harm) {
    Series series(4);
    std::mt19937_64 random(1);
    for (int i = 0; i < 20 * one_second; ++i) {
        for (Counters &rank : series.counters())
            rank = {random() >> random() % 64, random() >> random() % 64, rank.place};
        const vmall_run_queues queues = series.step(balanced(4), {1, 1, 1, 1});
        ck_assert(queues == VMALL_QUEUES_LOCAL || queues == VMALL_QUEUES_GLOBAL);
    }
    for (Counters &rank : series.counters())
        rank.switches = rank.useful_ns = ~std::uint64_t{0} / 2;
    ck_assert(series.run(balanced(4), 10 * one_second) == VMALL_QUEUES_LOCAL);
}
END_TEST

START_TEST(no_ranks_are_nothing_to_judge) {
    Series series(0);
    ck_assert(series.run({}, one_second) == VMALL_QUEUES_LOCAL);
}
END_TEST

// A page with ranks 3, 5 and 9 of a balanced program, all on one CPU.
struct Page {
    std::unique_ptr<vmall_runtime_page> page = std::make_unique<vmall_runtime_page>();
    std::unique_ptr<Detector> detector = std::make_unique<Detector>();
    std::vector<Member> members{{3, {0, 3}}, {5, {1, 3}}, {9, {2, 3}}};
    std::uint64_t now = 1'000'000'000;
    std::uint64_t extra_of_9 = 0; // useful time, for each sample

    // A CPU for each, of which one has more work.
    void put_apart() {
        for (const Member &member : members)
            page->slots[member.slot].cpu_plus_1 = member.slot;
        extra_of_9 = 6'000'000;
    }
    std::uint32_t ask(std::uint32_t slot) {
        return detector->sample(*page, members.data(), static_cast<std::uint32_t>(members.size()),
                                slot, now);
    }
    std::uint32_t run(int samples) {
        std::uint32_t queues = VMALL_QUEUES_LOCAL;
        for (int i = 0; i < samples; ++i) {
            now += LoadBalance::sample_period_ns;
            for (const Member &member : members) {
                page->slots[member.slot].switches += 5;
                page->slots[member.slot].useful_ns += 3'000'000;
            }
            page->slots[9].useful_ns += extra_of_9;
            queues = ask(3);
        }
        return queues;
    }
};

START_TEST(the_lowest_rank_tells_the_others) {
    Page job;
    job.put_apart();
    ck_assert(job.run(1) == VMALL_QUEUES_LOCAL);
    ck_assert(job.page->run_queues == VMALL_QUEUES_LOCAL);
    ck_assert(job.run(one_second) == VMALL_QUEUES_GLOBAL);
    ck_assert(job.page->run_queues == VMALL_QUEUES_GLOBAL);
    job.page->run_queues = VMALL_QUEUES_LOCAL;
    ck_assert(job.ask(5) == VMALL_QUEUES_LOCAL); // believes, and does not write
    job.page->run_queues = 77;
    ck_assert(job.ask(9) == VMALL_QUEUES_LOCAL);
    ck_assert(job.page->run_queues == 77);
}
END_TEST

START_TEST(ranks_that_share_a_cpu_are_one_place) {
    for (const bool shared : {true, false}) {
        Page job;
        job.put_apart();
        for (const Member &member : job.members)
            if (shared)
                job.page->slots[member.slot].cpu_plus_1 = 1;
        ck_assert(job.run(one_second) == (shared ? VMALL_QUEUES_LOCAL : VMALL_QUEUES_GLOBAL));
    }
}
END_TEST

START_TEST(a_cpu_that_cannot_be_does_no_harm) {
    Page job;
    job.page->slots[5].cpu_plus_1 = ~0u;
    job.page->slots[9].cpu_plus_1 = VMALL_RUNTIME_CPUS + 1;
    ck_assert(job.run(one_second) == VMALL_QUEUES_LOCAL);
}
END_TEST

START_TEST(asking_more_often_changes_nothing) {
    Page job;
    job.put_apart();
    job.run(1);
    for (int i = 0; i < 1000; ++i) {
        ++job.page->slots[3].switches;
        ck_assert(job.ask(3) == VMALL_QUEUES_LOCAL);
    }
    ck_assert(job.run(one_second) == VMALL_QUEUES_GLOBAL);
}
END_TEST

START_TEST(a_change_of_membership_begins_detection_again) {
    Page job;
    job.put_apart();
    ck_assert(job.run(one_second) == VMALL_QUEUES_GLOBAL);
    ++job.page->membership; // one left and another came
    ck_assert(job.run(1) == VMALL_QUEUES_LOCAL);
    ck_assert(job.run(one_second) == VMALL_QUEUES_GLOBAL);
}
END_TEST

} // namespace

int main() {
    TCase *arithmetic = tcase_create("arithmetic");
    tcase_add_test(arithmetic, equation_4_1);
    tcase_add_loop_test(arithmetic, idleness_as_in_figure_4_3, 0, 8);
    TCase *series = tcase_create("series");
    tcase_add_loop_test(series, programs_get_their_queues, 0,
                        static_cast<int>(program_cases.size()));
    tcase_add_loop_test(series, what_ranks_of_a_place_even_out_does_not_count, 0,
                        static_cast<int>(places_cases.size()));
    tcase_add_test(series, a_quiet_program_is_decided_within_a_second);
    tcase_add_test(series, after_any_initialization_the_program_is_judged);
    tcase_add_test(series, a_program_that_never_waits_is_not_judged);
    tcase_add_test(series, long_turns_do_not_make_a_balanced_program_imbalanced);
    tcase_add_test(series, a_drifting_variation_is_not_steady);
    tcase_add_test(series, steady_is_what_three_windows_in_a_row_agree_on);
    tcase_add_test(series, work_of_the_initialization_does_not_count);
    tcase_add_test(series, phases_that_change_are_followed);
    tcase_add_test(series, a_short_phase_is_waited_out);
    tcase_add_test(series, short_phases_do_not_add_up);
    tcase_add_test(series, around_the_border_nothing_changes);
    tcase_add_test(series, changes_get_rarer);
    tcase_add_test(series, more_ranks_begin_detection_again);
    tcase_add_test(series, a_counter_that_goes_back_begins_detection_again);
    tcase_add_test(series, counters_that_jump_do_no_harm);
    tcase_add_test(series, no_ranks_are_nothing_to_judge);
    TCase *page = tcase_create("page");
    tcase_add_test(page, the_lowest_rank_tells_the_others);
    tcase_add_test(page, ranks_that_share_a_cpu_are_one_place);
    tcase_add_test(page, a_cpu_that_cannot_be_does_no_harm);
    tcase_add_test(page, asking_more_often_changes_nothing);
    tcase_add_test(page, a_change_of_membership_begins_detection_again);
    return run("libvmrt load balance", {arithmetic, series, page});
}

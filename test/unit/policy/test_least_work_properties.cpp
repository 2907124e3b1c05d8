// SPDX-License-Identifier: GPL-2.0-or-later
//
// What discipline least-work (doc/policy.md) promises, on random snapshots of small machines.
#include "policy/folding/mpl.hpp"
#include "policy/least_work/claim.hpp"
#include "policy/normalise.hpp"
#include "policy/reasons.hpp"
#include "policy/room/room.hpp"
#include "random_situation.hpp"
#include "situation.hpp"
#include "suites.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace vmall::policy;

int mpl_of(const RunningJob &job, const CoreCounts &allotment) {
    return vmall::policy::mpl_of(job.unfolded, job.cores_per_process, allotment);
}

int deepest(const Settings &settings, int own, std::size_t nodes) {
    return std::min({settings.max_mpl, own, nodes > 1 ? 2 : highest_mpl});
}

// A machine on which what is decided happens at once.
class Machine {
  public:
    explicit Machine(std::uint32_t seed)
        : settings(RandomSituation(seed).least_work_settings()),
          snapshot(RandomSituation(seed).least_work_snapshot()) {
        normalise(snapshot, true); // who never fits says nothing
    }

    const Settings settings;
    Snapshot snapshot;

    std::vector<Action> decide() const { return vmall::policy::decide(snapshot, settings); }

    bool is_settled() const {
        return std::none_of(
            snapshot.running.begin(), snapshot.running.end(),
            [](const RunningJob &job) { return job.ending || job.target; });
    }

    // Those that end do, and resizes that are under way are confirmed.
    void settle() {
        for (RunningJob &job : snapshot.running) {
            if (job.target)
                hold(job, evenly(*job.target));
            job.target.reset();
            if (job.ending)
                hold(job, {});
        }
        auto &running = snapshot.running;
        running.erase(std::remove_if(running.begin(), running.end(),
                                     [](const RunningJob &job) { return job.ending; }),
                      running.end());
    }

    // Folded deeper than it may be (overdue.hpp).
    bool is_anybody_overdue() const {
        return std::any_of(
            snapshot.running.begin(), snapshot.running.end(),
            [](const RunningJob &job) { return mpl_of(job, job.allotment) > job.max_mpl; });
    }

    void let_all_be() {
        for (RunningJob &job : snapshot.running)
            job.max_mpl = std::clamp(mpl_of(job, job.allotment), job.max_mpl, highest_mpl);
    }

    void carry_out(const Resize &resize) { hold(running(resize.id), resize.target); }

    void carry_out(const Start &start) {
        const WaitingJob job = waiting(start.id);
        RunningJob started;
        started.id = job.id;
        started.arrival = job.arrival;
        started.tier = job.tier;
        started.virtually_malleable = started.resizable = job.virtually_malleable;
        started.resizable &= !job.whole_nodes;
        started.processes = start.processes;
        started.unfolded = start.unfolded;
        started.cores_per_process = job.cores_per_process;
        started.started = snapshot.now;
        started.estimate = job.estimate;
        started.expected_end = snapshot.now + job.estimate;
        started.max_mpl = job.max_mpl;
        hold(started, start.counted_on);
        remove_waiting(job.id);
        const auto place = std::find_if(snapshot.running.begin(), snapshot.running.end(),
                                        [&](const auto &other) { return started.id < other.id; });
        snapshot.running.insert(place, std::move(started));
    }

    void carry_out(const std::vector<Action> &actions) {
        for (const Action &action : actions)
            if (const auto *start = std::get_if<Start>(&action))
                carry_out(*start);
        for (const Action &action : actions)
            if (const auto *resize = std::get_if<Resize>(&action))
                carry_out(*resize);
        for (const Node &node : snapshot.nodes)
            ck_assert_int_ge(node.free, 0);
    }

    RunningJob &running(JobId id) {
        return *std::find_if(
            snapshot.running.begin(), snapshot.running.end(),
            [&](const auto &job) { return job.id == id; });
    }

    const WaitingJob &waiting(JobId id) const {
        return *std::find_if(
            snapshot.waiting.begin(), snapshot.waiting.end(),
            [&](const auto &job) { return job.id == id; });
    }

    std::string to_text() const {
        std::string text;
        for (const Node &node : snapshot.nodes)
            text +=
                "node " + std::to_string(node.cores) + " free " + std::to_string(node.free) + "\n";
        for (const RunningJob &job : snapshot.running) {
            text += "runs " + std::to_string(job.id.value) + ": " + std::to_string(job.processes) +
                    "x" + std::to_string(job.cores_per_process) + " on";
            for (const NodeCores &part : job.allotment)
                text += ' ' + std::to_string(part.node.value) + ':' + std::to_string(part.cores);
            text += ", estimate " + std::to_string(job.estimate) + ", tier " +
                    std::to_string(job.tier) + ", max " + std::to_string(job.max_mpl) +
                    (job.resizable ? "" : ", fixed") + '\n';
        }
        for (const WaitingJob &job : snapshot.waiting)
            text += "waits " + std::to_string(job.id.value) + ": " +
                    std::to_string(job.sizes.largest()) + "x" +
                    std::to_string(job.cores_per_process) + ", nodes " +
                    std::to_string(job.min_nodes) + "-" + std::to_string(job.max_nodes) +
                    ", estimate " + std::to_string(job.estimate) + ", tier " +
                    std::to_string(job.tier) + (job.virtually_malleable ? "" : ", rigid") +
                    (job.whole_nodes ? ", whole nodes" : "") + '\n';
        return text + "max_mpl " + std::to_string(settings.max_mpl) + " patience " +
               std::to_string(settings.patience) + '\n';
    }

  private:
    static CoreCounts evenly(CoreCounts cores) {
        const int least =
            std::min_element(cores.begin(), cores.end(), [](const auto &left, const auto &right) {
                return left.cores < right.cores;
            })->cores;
        for (NodeCores &part : cores)
            part.cores = least;
        return cores;
    }

    void hold(RunningJob &job, const CoreCounts &allotment) {
        for (const NodeCores &part : job.allotment)
            snapshot.nodes[part.node.value].free += part.cores;
        for (const NodeCores &part : allotment)
            snapshot.nodes[part.node.value].free -= part.cores;
        job.allotment = allotment;
    }

    void remove_waiting(JobId id) {
        auto &waiting = snapshot.waiting;
        waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                     [&](const WaitingJob &job) { return job.id == id; }),
                      waiting.end());
    }
};

template <class Kind>
std::vector<Kind> all(const std::vector<Action> &actions) {
    std::vector<Kind> result;
    for (const auto &action : actions)
        if (const auto *one = std::get_if<Kind>(&action))
            result.push_back(*one);
    return result;
}

bool changes_something(const std::vector<Action> &actions) {
    return !all<Start>(actions).empty() || !all<Resize>(actions).empty();
}

START_TEST(nobody_is_planned_deeper_than_its_floor) {
    int folds = 0;
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        Machine machine(seed);
        const auto actions = machine.decide();
        for (const Resize &resize : all<Resize>(actions)) {
            const RunningJob &job = machine.running(resize.id);
            const int now = mpl_of(job, job.allotment);
            const int then = mpl_of(job, resize.target);
            ck_assert_msg(then < now ||
                              then <= deepest(machine.settings, job.max_mpl, job.allotment.size()),
                          "seed %u, job %u", seed, job.id.value);
            folds += then > now;
        }
        for (const Start &start : all<Start>(actions)) {
            const WaitingJob &job = machine.waiting(start.id);
            ck_assert_msg(start.mpl <=
                                  deepest(machine.settings, job.max_mpl, start.counted_on.size()) ||
                              start.mpl == 1,
                          "seed %u, job %u", seed, job.id.value);
        }
    }
    ck_assert_int_gt(folds, random_snapshots / 200);
}
END_TEST

// Rounds of decisions at one time, each carried out, until nothing is decided. Says what was done.
std::string come_to_rest(Machine &machine) {
    constexpr int most_rounds = 12;
    std::string text;
    for (int round = 0;; round++) {
        const auto actions = machine.decide();
        text += machine.to_text() + situation::to_text(actions) + '\n';
        if (!changes_something(actions))
            return text;
        ck_assert_msg(round < most_rounds, "no rest:\n%s", text.c_str());
        machine.carry_out(actions);
    }
}

// But for two changes that come with the next decision at the same moment: who is overdue is
// unfolded before the others are dealt cores, and has its place among them then; and with
// Patience=0 the next of the queue is in front as soon as the one before it has started.
START_TEST(it_comes_to_rest_and_nobody_is_resized_to_and_fro) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        Machine machine(seed);
        machine.settle();
        if (machine.is_anybody_overdue() || machine.settings.patience == 0)
            continue;
        std::map<JobId, bool> grown;
        std::string text = "seed " + std::to_string(seed) + '\n';
        for (int round = 0;; round++) {
            const auto actions = machine.decide();
            text += machine.to_text() + situation::to_text(actions) + '\n';
            if (!changes_something(actions))
                break;
            ck_assert_msg(round < 12, "no rest: %s", text.c_str());
            for (const Resize &resize : all<Resize>(actions)) {
                const RunningJob &job = machine.running(resize.id);
                const bool grows = cores_of(resize.target) > cores_of(job.allotment);
                const auto [known, is_new] = grown.emplace(resize.id, grows);
                ck_assert_msg(known->second == grows, "job %u: %s", job.id.value, text.c_str());
            }
            machine.carry_out(actions);
        }
    }
}
END_TEST

// At rest: nobody who may could be folded less on what is free.
START_TEST(no_core_is_idle_that_a_folded_job_could_use) {
    int folded = 0;
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        Machine machine(seed);
        machine.settle();
        machine.let_all_be();
        const std::string text = come_to_rest(machine);
        for (const RunningJob &job : machine.snapshot.running) {
            const int now = mpl_of(job, job.allotment);
            if (!job.virtually_malleable || !job.resizable || now == 1)
                continue;
            for (int mpl = 1; mpl < now; mpl++) {
                const CoreCounts more =
                    released(at_mpl(job.unfolded, job.cores_per_process, mpl), job.allotment);
                const bool has_room =
                    std::all_of(more.begin(), more.end(), [&](const NodeCores &part) {
                        return machine.snapshot.nodes[part.node.value].free >= part.cores;
                    });
                ck_assert_msg(!has_room, "seed %u, job %u could have MPL %d\n%s", seed,
                              job.id.value, mpl, text.c_str());
            }
            folded++;
        }
    }
    ck_assert_int_gt(folded, random_snapshots / 14);
}
END_TEST

START_TEST(nobody_waits_for_cores_that_nobody_frees) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        Machine machine(seed);
        machine.settle();
        const std::string text = come_to_rest(machine);
        for (const Wait &wait : all<Wait>(machine.decide()))
            ck_assert_msg(wait.why != reasons::being_freed, "seed %u, job %u\n%s", seed,
                          wait.id.value, text.c_str());
    }
}
END_TEST

// Once these folds are confirmed and nothing else happens.
START_TEST(a_fold_lets_the_job_start_that_it_is_for) {
    int folds = 0;
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        Machine machine(seed);
        machine.settle();
        machine.let_all_be();
        const auto actions = machine.decide();
        std::string text = machine.to_text() + situation::to_text(actions) + '\n';
        std::set<JobId> served;
        for (const Resize &resize : all<Resize>(actions))
            if (resize.makes_room_for)
                served.insert(*resize.makes_room_for);
        if (served.empty())
            continue;
        machine.carry_out(actions);
        const auto next = machine.decide();
        text += machine.to_text() + situation::to_text(next);
        const auto starts = all<Start>(next);
        for (const JobId id : served)
            ck_assert_msg(std::any_of(starts.begin(), starts.end(),
                                      [&](const Start &start) { return start.id == id; }),
                          "seed %u, job %u\n%s", seed, id.value, text.c_str());
        folds++;
    }
    ck_assert_int_gt(folds, random_snapshots / 200);
}
END_TEST

// Whether a start passes somebody is said by the queue.
std::vector<std::string> lines_of(std::vector<Action> actions) {
    std::vector<std::string> lines;
    for (Action &action : actions) {
        if (auto *start = std::get_if<Start>(&action))
            start->backfilled = false;
        lines.push_back(situation::to_text({action}));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

// Whatever nodes and sizes are left of it.
bool can_always_be_folded(const Snapshot &snapshot) {
    return std::all_of(
        snapshot.waiting.begin(), snapshot.waiting.end(),
        [&](const auto &job) {
            return least_work::is_foldable(job) && job.sizes.smallest() > 1 &&
                   std::all_of(
                       snapshot.nodes.begin(), snapshot.nodes.end(),
                       [&](const Node &node) { return node.cores >= 2 * job.cores_per_process; });
        });
}

// But for pools, which come in the order of their first waiting jobs.
START_TEST(the_order_in_which_jobs_are_told_does_not_matter) {
    int looked_at = 0;
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        Machine machine(seed);
        if (machine.settings.patience == 0 || !can_always_be_folded(machine.snapshot))
            continue; // there, the first of the queue has a place of its own
        looked_at++;
        const auto before = lines_of(machine.decide());
        std::reverse(machine.snapshot.running.begin(), machine.snapshot.running.end());
        std::reverse(machine.snapshot.waiting.begin(), machine.snapshot.waiting.end());
        ck_assert_msg(lines_of(machine.decide()) == before, "seed %u", seed);
    }
    ck_assert_int_gt(looked_at, random_snapshots / 200);
}
END_TEST

} // namespace

Suite *least_work_properties_suite() {
    Suite *suite = suite_create("properties of least work");
    TCase *random = tcase_create("random snapshots");
    tcase_add_test(random, nobody_is_planned_deeper_than_its_floor);
    tcase_add_test(random, it_comes_to_rest_and_nobody_is_resized_to_and_fro);
    tcase_add_test(random, no_core_is_idle_that_a_folded_job_could_use);
    tcase_add_test(random, nobody_waits_for_cores_that_nobody_frees);
    tcase_add_test(random, a_fold_lets_the_job_start_that_it_is_for);
    tcase_add_test(random, the_order_in_which_jobs_are_told_does_not_matter);
    suite_add_tcase(suite, random);
    return suite;
}

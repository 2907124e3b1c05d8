// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the simulator decides is what the scheduler of slurmctld would have decided then: from the
// same snapshot, and from what it makes of Slurm's tables in the same situation.
#include "random_case.hpp"
#include "run.hpp"

#include "plugins/sched_fjt/decide/snapshot.hpp"
#include "policy/scheduler.hpp"
#include "policy/sharing/space_sharing.hpp"
#include "sim/engine/simulate.hpp"

#include <numeric>
#include <tuple>

namespace {

using namespace vmall;
using policy::Action;
using policy::Snapshot;

auto fields(const policy::Promise &promise) {
    return std::tie(promise.start, promise.processes, promise.allotment, promise.unfolded);
}

bool same(const std::optional<policy::Promise> &left, const std::optional<policy::Promise> &right) {
    return left && right ? fields(*left) == fields(*right) : !left && !right;
}

bool same(const policy::Start &left, const policy::Start &right) {
    const auto all = [](const policy::Start &start) {
        return std::tie(start.processes, start.nodes, start.cores_per_node, start.mpl,
                        start.backfilled, start.window_end, start.on, start.counted_on,
                        start.unfolded);
    };
    return all(left) == all(right);
}

bool same(const policy::Resize &left, const policy::Resize &right) {
    return left.target == right.target;
}

bool same(const policy::Resume &left, const policy::Resume &right) {
    return left.backfilled == right.backfilled && left.window_end == right.window_end;
}

bool same(const policy::Wait &left, const policy::Wait &right) {
    return left.why == right.why && same(left.promise, right.promise);
}

template <class IdOnly>
bool same(const IdOnly &, const IdOnly &) {
    return true;
}

bool same(const Action &left, const Action &right) {
    if (left.index() != right.index())
        return false;
    return std::visit(
        [&](const auto &one) {
            const auto &other = std::get<std::decay_t<decltype(one)>>(right);
            return one.id == other.id && same(one, other);
        },
        left);
}

void check(const std::vector<Action> &simulated, const std::vector<Action> &live,
           const std::string &text, policy::Seconds now) {
    const auto differ = std::mismatch(simulated.begin(), simulated.end(), live.begin(), live.end(),
                                      [](const auto &a, const auto &b) { return same(a, b); });
    ck_assert_msg(differ.first == simulated.end() && differ.second == live.end(),
                  "%s, action %d of %zu and %zu at %lld s", text.c_str(),
                  static_cast<int>(differ.first - simulated.begin()), simulated.size(), live.size(),
                  static_cast<long long>(now));
}

// Plays the case and has every decision made anew by `decide`; answers how many actions of each
// kind there were.
using Kinds = std::vector<int>;
template <class Decide>
void compare(Case random, Decide decide, Kinds &kinds) {
    sim::Options options = random.options;
    options.on_decision = [&](const Snapshot &snapshot, const std::vector<Action> &actions) {
        check(actions, decide(snapshot), random.text, snapshot.now);
        for (const Action &action : actions)
            kinds[action.index()]++;
    };
    sim::Progress progress;
    sim::simulate(random.workload, random.machine, options, progress);
}

START_TEST(from_the_same_snapshot) {
    Kinds kinds(std::variant_size_v<Action>);
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = RandomCase(seed).any();
        compare(
            random,
            [&](const Snapshot &snapshot) {
                return policy::decide(snapshot, random.options.policy);
            },
            kinds);
    }
    for (const int count : kinds)
        ck_assert_uint_gt(count, random_cases / 100);
}
END_TEST

// slurmctld's tables in the situation of a snapshot.
class Slurm {
  public:
    explicit Slurm(const Case &random) : workload_(random.workload) {
        config_.policy = random.options.policy;
    }

    std::vector<Action> decide(const Snapshot &snapshot) const {
        sched::View view;
        sched::Ledger ledger(1);
        sched::Promises promises;
        view.now = snapshot.now;
        for (std::uint32_t node = 0; node < snapshot.nodes.size(); node++) {
            view.nodes[node].usable = true;
            view.nodes[node].cores = snapshot.nodes[node].cores;
        }
        for (const policy::RunningJob &job : snapshot.running)
            add(view, ledger, job);
        for (const policy::WaitingJob &job : snapshot.waiting) {
            view.queue.push_back(as_asked_for(job.id, job.arrival));
            if (job.promise)
                promises[job.id.value] = *job.promise;
        }
        return policy::decide(sched::snapshot(view, ledger, config_, {}, promises), config_.policy);
    }

  private:
    static cores::Cores first_cores(int count) {
        cores::Cores result(static_cast<std::size_t>(count));
        std::iota(result.begin(), result.end(), 0);
        return result;
    }

    sched::JobView as_asked_for(policy::JobId id, policy::Seconds arrival) const {
        const sim::Job &job = workload_.jobs[id.value - 1];
        sched::JobView view;
        view.id = id.value;
        view.submitted = view.waits_since = arrival;
        view.time_limit = job.time_limit;
        view.tasks = job.sizes.largest();
        view.min_nodes = job.virtually_malleable ? job.nodes : 1;
        view.max_nodes = job.nodes;
        view.virtually_malleable = job.virtually_malleable;
        view.request.job_class = job.job_class;
        view.request.sizes = job.sizes;
        if (job.estimate > 0)
            view.request.estimate = job.estimate;
        return view;
    }

    void add(sched::View &view, sched::Ledger &ledger, const policy::RunningJob &job) const {
        sched::JobView running = as_asked_for(job.id, job.arrival);
        running.state = job.ending ? sched::JobState::completing : sched::JobState::running;
        running.started = job.started;
        running.tasks = job.processes;
        running.allotment = job.allotment;
        sched::LedgerEntry &entry = ledger.of(running);
        entry.backfilled = job.backfilled;
        entry.window_end = job.window_end;
        entry.lost = sched::LostTime(job.lost * 1000);
        if (job.target) {
            sched::Fold fold;
            for (const policy::NodeCores &part : *job.target)
                fold.keep[part.node.value] = first_cores(part.cores);
            entry.target.fold(std::move(fold), {});
        }
        view.active[running.id] = running;
    }

    const sim::Workload &workload_;
    config::Config config_;
};

// What Slurm can do and tell: no other queue disciplines, sizings and window policies; every job
// has a time limit, by which those are planned that did not ask for virtual malleability.
Case as_with_slurm(std::uint32_t seed) {
    Case random = RandomCase(seed).any();
    policy::Settings &settings = random.options.policy;
    if (settings.queue_discipline->only_simulated)
        settings.queue_discipline = "conservative";
    if (settings.window_policy->only_simulated)
        settings.window_policy = "shrink";
    if (settings.sizing->only_simulated)
        settings.sizing = "rigid";
    const int cores = random.machine.cores.front();
    for (sim::Job &job : random.workload.jobs) {
        job.malleable = false;
        job.time_limit = job.time_limit > 0 ? job.time_limit : 1000;
        job.estimate = job.virtually_malleable ? job.estimate : job.time_limit;
        job.nodes = job.virtually_malleable ? (job.sizes.largest() + cores - 1) / cores : 0;
    }
    return random;
}

START_TEST(from_the_tables_of_slurm) {
    Kinds kinds(std::variant_size_v<Action>);
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = as_with_slurm(seed);
        const Slurm slurm(random);
        compare(
            random, [&](const Snapshot &snapshot) { return slurm.decide(snapshot); }, kinds);
    }
    ck_assert_int_gt(std::accumulate(kinds.begin(), kinds.end(), 0),
                     5 * static_cast<int>(random_cases));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("live and simulated");
    tcase_add_test(tests, from_the_same_snapshot);
    tcase_add_test(tests, from_the_tables_of_slurm);
    return run("live", tests);
}

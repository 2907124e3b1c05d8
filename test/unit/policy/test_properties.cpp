// SPDX-License-Identifier: GPL-2.0-or-later
//
// What must hold in every situation, on random snapshots of small machines.
#include "exhaustive.hpp"
#include "policy/folding/mpl.hpp"
#include "policy/normalise.hpp"
#include "policy/reasons.hpp"
#include "random_situation.hpp"
#include "situation.hpp"
#include "suites.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace vmall::policy;
using exhaustive::Cores;

struct Case {
    std::uint32_t seed;
    Settings settings;
    Snapshot snapshot;
    std::vector<Action> actions;
    std::string text;
};

Case decide_on(std::uint32_t seed, Settings settings, Snapshot snapshot) {
    auto actions = decide(snapshot, settings);
    auto text = "seed " + std::to_string(seed) + ":\n" + situation::to_text(actions);
    return {seed, settings, std::move(snapshot), std::move(actions), std::move(text)};
}

Case random_case(std::uint32_t seed) {
    RandomSituation random(seed);
    const Settings settings = random.settings();
    return decide_on(seed, settings, random.snapshot());
}

const WaitingJob &waiting(const Case &of, JobId id) {
    return *std::find_if(
        of.snapshot.waiting.begin(), of.snapshot.waiting.end(),
        [&](const auto &job) { return job.id == id; });
}

const RunningJob &running(const Case &of, JobId id) {
    return *std::find_if(
        of.snapshot.running.begin(), of.snapshot.running.end(),
        [&](const auto &job) { return job.id == id; });
}

CoreCounts unfolded_of(const RunningJob &job) {
    return job.unfolded.empty()
               ? unfolded_equally(job.processes, job.cores_per_process, job.allotment)
               : job.unfolded;
}

template <class Kind>
std::vector<Kind> all(const std::vector<Action> &actions) {
    std::vector<Kind> result;
    for (const auto &action : actions)
        if (const auto *one = std::get_if<Kind>(&action))
            result.push_back(*one);
    return result;
}

Cores free_cores(const Snapshot &snapshot) {
    Cores free;
    for (const auto &node : snapshot.nodes)
        free.push_back(node.free);
    return free;
}

bool is_unequal(const Start &start) {
    return start.nodes > 0 && start.cores_per_node == 0;
}

std::vector<Cores> just_there(const Start &start, const Cores &free) {
    Cores cores(free.size(), 0);
    for (const NodeCores &part : start.counted_on)
        if ((cores[part.node.value] = part.cores) > free[part.node.value])
            return {};
    return {cores};
}

std::vector<Cores> placements(const Case &of, const Start &start, const Cores &free) {
    if (is_unequal(start))
        return just_there(start, free);
    WaitingJob job = waiting(of, start.id);
    job.min_nodes = start.nodes > 0 ? start.nodes : job.min_nodes;
    return exhaustive::placements(job, start.processes, start.cores_per_node, of.snapshot.nodes,
                                  free, start.on);
}

// Each of its nodes takes processes that could run there unfolded, on as many cores as this MPL
// wants.
bool is_spread_anyhow(const Case &of, const Start &start, const WaitingJob &job) {
    int processes = 0;
    for (const NodeCores &part : start.unfolded) {
        processes += part.cores / job.cores_per_process;
        if (part.cores > of.snapshot.nodes[part.node.value].cores)
            return false;
    }
    return start.nodes >= job.min_nodes && (job.max_nodes == 0 || start.nodes <= job.max_nodes) &&
           processes == std::max(start.processes, job.min_nodes) &&
           start.counted_on == at_mpl(start.unfolded, job.cores_per_process, start.mpl);
}

Cores minus(Cores left, const Cores &right) {
    for (std::size_t node = 0; node < left.size(); node++)
        left[node] -= right[node];
    return left;
}

bool all_fit(const Case &of, const std::vector<Start> &starts, std::size_t next,
             const Cores &free) {
    if (next == starts.size())
        return true;
    const auto options = placements(of, starts[next], free);
    return std::any_of(options.begin(), options.end(), [&](const Cores &taken) {
        return all_fit(of, starts, next + 1, minus(free, taken));
    });
}

START_TEST(never_more_cores_than_free) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        const Case random = random_case(seed);
        Cores free = free_cores(random.snapshot);
        for (const auto &resize : all<Resize>(random.actions)) {
            const auto &held = running(random, resize.id).allotment;
            for (std::size_t i = 0; i < held.size(); i++)
                free[held[i].node.value] -= std::max(resize.target[i].cores - held[i].cores, 0);
        }
        for (const auto &resume : all<Resume>(random.actions))
            for (const auto &part : *waiting(random, resume.id).resumes_on)
                free[part.node.value] -= part.cores;
        ck_assert_msg(all_fit(random, all<Start>(random.actions), 0, free), "%s",
                      random.text.c_str());
        ck_assert_msg(*std::min_element(free.begin(), free.end()) >= 0, "%s", random.text.c_str());
    }
}
END_TEST

START_TEST(starts_as_the_job_accepts) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        const Case random = random_case(seed);
        for (const auto &start : all<Start>(random.actions)) {
            const auto &job = waiting(random, start.id);
            ck_assert_msg(!job.resumes_on, "%s", random.text.c_str());
            ck_assert_msg(job.sizes.contains(start.processes), "%s", random.text.c_str());
            ck_assert_msg(!job.refused, "%s", random.text.c_str());
            if (job.virtually_malleable && job.any_spread && !job.whole_nodes) {
                ck_assert_msg(is_spread_anyhow(random, start, job), "%s", random.text.c_str());
            } else if (job.virtually_malleable) {
                const int needed =
                    (start.processes + job.min_nodes - 1) / job.min_nodes * job.cores_per_process;
                const int cores = start.cores_per_node;
                ck_assert_msg(start.nodes == job.min_nodes && cores >= 1 && cores <= needed, "%s",
                              random.text.c_str());
                ck_assert_msg((needed + cores - 1) / cores == start.mpl, "%s", random.text.c_str());
                ck_assert_msg(cores % job.cores_per_process == 0, "%s", random.text.c_str());
                ck_assert_msg(start.mpl <= std::min(random.settings.max_mpl, job.max_mpl), "%s",
                              random.text.c_str());
                const bool may_be_folded = job.job_class == JobClass::long_job ||
                                           random.settings.sizing == "adaptive" ||
                                           random.settings.queue_discipline == "least-work";
                ck_assert_msg(start.mpl == 1 || may_be_folded, "%s", random.text.c_str());
            }
        }
    }
}
END_TEST

template <class Kind>
void check_expired(const Case &random, WindowPolicy expected) {
    for (const auto &expired : all<Kind>(random.actions)) {
        const auto &job = running(random, expired.id);
        ck_assert_msg(job.virtually_malleable && job.backfilled && !job.target && !job.ending, "%s",
                      random.text.c_str());
        ck_assert_msg(random.settings.window_policy == expected, "%s", random.text.c_str());
    }
}

START_TEST(resizes_only_who_asked_and_can) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        const Case random = random_case(seed);
        for (const auto &resize : all<Resize>(random.actions)) {
            const auto &job = running(random, resize.id);
            ck_assert_msg(job.virtually_malleable && job.resizable && !job.target && !job.ending,
                          "%s", random.text.c_str());
            const CoreCounts unfolded = unfolded_of(job);
            const bool grows = cores_of(resize.target) > cores_of(job.allotment);
            ck_assert_msg(resize.target.size() == job.allotment.size(), "%s", random.text.c_str());
            ck_assert_msg(!(resize.target == job.allotment), "%s", random.text.c_str());
            for (std::size_t i = 0; i < resize.target.size(); i++) {
                const int cores = resize.target[i].cores, full = unfolded[i].cores;
                ck_assert_msg(resize.target[i].node == job.allotment[i].node, "%s",
                              random.text.c_str());
                ck_assert_msg((grows || cores * job.max_mpl >= full) && cores <= full, "%s",
                              random.text.c_str());
                ck_assert_msg(cores % job.cores_per_process == 0 || cores == job.allotment[i].cores,
                              "%s", random.text.c_str());
            }
        }
        check_expired<Requeue>(random, "requeue");
        check_expired<Kill>(random, "kill");
        check_expired<Suspend>(random, "suspend");
    }
}
END_TEST

START_TEST(one_action_for_a_job) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        const Case random = random_case(seed);
        std::set<JobId> seen;
        for (const auto &action : random.actions) {
            const JobId id = std::visit([](const auto &one) { return one.id; }, action);
            ck_assert_msg(seen.insert(id).second, "%s", random.text.c_str());
        }
    }
}
END_TEST

START_TEST(nobody_grows_while_somebody_waits) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        const Case random = random_case(seed);
        if (random.settings.sizing == "adaptive" ||
            random.settings.queue_discipline == "least-work")
            continue; // there, what the head leaves to others is grown into
        const auto waits = all<Wait>(random.actions);
        const bool somebody_waits = std::any_of(waits.begin(), waits.end(), [](const auto &wait) {
            return wait.why != reasons::no_machine;
        });
        for (const auto &resize : all<Resize>(random.actions)) {
            const RunningJob &job = running(random, resize.id);
            const bool grows = cores_of(resize.target) > cores_of(job.allotment);
            if (grows &&
                mpl_of(unfolded_of(job), job.cores_per_process, job.allotment) > job.max_mpl)
                continue; // it is folded deeper than it may be
            ck_assert_msg(grows != somebody_waits, "%s", random.text.c_str());
        }
    }
}
END_TEST

START_TEST(the_same_input_gives_the_same_decision) {
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        const Case first = random_case(seed);
        const Case second = random_case(seed);
        ck_assert_str_eq(first.text.c_str(), second.text.c_str());
    }
}
END_TEST

// Of a scheduler that has decided other things before.
START_TEST(a_normalised_snapshot_gives_the_same_decision) {
    constexpr std::uint32_t snapshots_of_one = 8;
    for (std::uint32_t seed = 0; seed < random_snapshots; seed += snapshots_of_one) {
        Scheduler scheduler(RandomSituation(seed).settings());
        for (std::uint32_t i = 0; i < snapshots_of_one; i++) {
            Snapshot snapshot = RandomSituation(seed + i).snapshot();
            normalise(snapshot, scheduler.is_moldable());
            const std::string as_anybodys = situation::to_text(scheduler.decide(snapshot));
            const std::string as_it_is = situation::to_text(scheduler.decide_normalised(snapshot));
            ck_assert_msg(as_it_is == as_anybodys, "seed %u + %u\n%sas anybody's:\n%s", seed, i,
                          as_it_is.c_str(), as_anybodys.c_str());
        }
    }
}
END_TEST

// A job and the cores it holds until it ends.
struct Held {
    Seconds until;
    Cores cores;
};

// When the head can start, at its smallest size and on some nodes, if these jobs hold cores.
std::optional<Seconds> earliest_start(const Case &of, const WaitingJob &head, int processes,
                                      const std::vector<Held> &held) {
    WaitingJob asked = head; // unfolded, any spread is that of a job that did not ask
    asked.virtually_malleable = head.virtually_malleable && (!head.any_spread || head.whole_nodes);
    std::set<Seconds> times = {of.snapshot.now};
    for (const auto &job : held)
        times.insert(job.until);
    const int width = (processes + head.min_nodes - 1) / head.min_nodes * head.cores_per_process;
    for (const Seconds time : times) {
        Cores free;
        for (const auto &node : of.snapshot.nodes)
            free.push_back(node.cores);
        for (const auto &job : held)
            free = job.until > time ? minus(free, job.cores) : free;
        if (!exhaustive::placements(asked, processes, width, of.snapshot.nodes, free, {}).empty())
            return time;
    }
    return std::nullopt;
}

// Jobs on a machine where nothing is folded, so that cores come free only by the end of jobs.
Case without_folding(std::uint32_t seed) {
    RandomSituation random(seed);
    Settings settings = random.settings();
    settings.queue_discipline = "easy";
    if (settings.sizing != "rigid")
        settings.sizing = "folding"; // others wait for short jobs, or more than the smallest size
    settings.max_mpl = 1;
    settings.window_policy = "keep";
    Snapshot snapshot = random.snapshot();
    for (auto &job : snapshot.running) {
        job.target.reset();
        job.ending = false;
        job.max_mpl = highest_mpl; // who is folded deeper grows
    }
    for (auto &job : snapshot.waiting) {
        job.refused = false;
        job.resumes_on.reset();
    }
    return decide_on(seed, settings, std::move(snapshot));
}

START_TEST(backfilling_does_not_delay_the_head) {
    int looked_at = 0;
    for (std::uint32_t seed = 0; seed < 5 * random_snapshots; seed++) {
        const Case random = without_folding(seed);
        const auto starts = all<Start>(random.actions);
        if (starts.empty() || !starts.front().backfilled)
            continue; // where jobs that start in order are put is not told
        const auto &head = waiting(random, all<Wait>(random.actions).front().id);
        std::vector<Held> held;
        for (const auto &job : random.snapshot.running) {
            Cores cores(random.snapshot.nodes.size());
            for (const auto &part : job.allotment)
                cores[part.node.value] = part.cores;
            held.push_back({std::max(job.expected_end, random.snapshot.now + 1), cores});
        }
        Sizes wide_enough = head.sizes;
        wide_enough.keep_within(head.min_nodes, head.sizes.largest());
        const int smallest = random.settings.sizing == "rigid" || !head.virtually_malleable
                                 ? head.sizes.largest()
                                 : wide_enough.smallest();
        const auto before = earliest_start(random, head, smallest, held);
        if (!before)
            continue;
        // Jobs that are told their nodes may be put there in any way.
        std::vector<std::vector<Held>> outcomes = {held};
        for (const auto &start : starts) {
            const Seconds end = random.snapshot.now + waiting(random, start.id).estimate;
            if (end <= *before)
                continue;
            std::vector<std::vector<Held>> more;
            for (const auto &outcome : outcomes) {
                for (const auto &cores : placements(random, start, free_cores(random.snapshot))) {
                    more.push_back(outcome);
                    more.back().push_back({end, cores});
                }
            }
            outcomes = std::move(more);
        }
        for (const auto &outcome : outcomes) {
            const auto after = earliest_start(random, head, smallest, outcome);
            ck_assert_msg(after && *after <= *before, "head %u\n%s", head.id.value,
                          random.text.c_str());
        }
        looked_at++;
    }
    ck_assert_int_gt(looked_at, random_snapshots / 10);
}
END_TEST

// One node after the other, in order: what place() finds without putting thousands in order.
CoreCounts spread_one_by_one(const WaitingJob &job, int mpl, const std::vector<Node> &nodes,
                             const Usable &own) {
    struct There {
        int fit, cores;
        NodeIndex node;
    };
    std::vector<There> there;
    for (std::size_t i = 0; i < own.size(); i++) {
        int fit = own[i].cores / job.cores_per_process * mpl;
        if (job.any_spread)
            fit = std::min(fit, nodes[own[i].node.value].cores / job.cores_per_process);
        while (fit > 0 && !own.has_memory(i, fit))
            fit--;
        if (fit > 0)
            there.push_back({fit, own[i].cores, own[i].node});
    }
    std::sort(there.begin(), there.end(), [](const There &left, const There &right) {
        return std::make_tuple(-left.fit, -left.cores, left.node) <
               std::make_tuple(-right.fit, -right.cores, right.node);
    });
    const int processes = job.sizes.largest();
    const There *tightest = nullptr;
    for (const There &node : there)
        if (job.min_nodes == 1 && node.fit >= processes &&
            (!tightest ||
             std::tie(node.cores, node.node) < std::tie(tightest->cores, tightest->node)))
            tightest = &node;
    if (tightest)
        return {{tightest->node, processes * job.cores_per_process}};
    CoreCounts parts;
    int rest = std::max(processes, job.min_nodes);
    for (const There &node : there) {
        const int count = static_cast<int>(parts.size());
        if (rest == 0 || count == job.max_nodes)
            break;
        const int here =
            std::min(node.fit, std::max(rest - std::max(job.min_nodes - count - 1, 0), 1));
        parts.push_back({node.node, here * job.cores_per_process});
        rest -= here;
    }
    if (rest > 0 || static_cast<int>(parts.size()) < job.min_nodes)
        return {};
    std::sort(parts.begin(), parts.end(),
              [](const NodeCores &left, const NodeCores &right) { return left.node < right.node; });
    return parts;
}

START_TEST(jobs_of_any_spread_have_the_nodes_where_most_fit) {
    int fit = 0, looked_at = 0, over_several = 0;
    for (std::uint32_t seed = 1; seed <= random_snapshots; seed++) {
        RandomSituation random(seed);
        Pass pass(random.settings());
        Snapshot snapshot = random.snapshot();
        normalise(snapshot, true);
        pass.begin(snapshot);
        for (WaitingJob job : snapshot.waiting) {
            if (job.resumes_on || job.whole_nodes)
                continue;
            job.any_spread = job.virtually_malleable;
            for (int mpl = 1; mpl <= (job.virtually_malleable ? highest_mpl : 1); mpl++) {
                const Usable own = usable(job, pass.nodes, pass.free);
                const CoreCounts wanted = spread_one_by_one(job, mpl, pass.nodes, own);
                const auto placed = place(job, job.sizes.largest(), mpl, pass.nodes, own);
                const bool same =
                    placed ? placed->allotment == at_mpl(wanted, job.cores_per_process, mpl)
                           : wanted.empty();
                ck_assert_msg(same, "seed %u, job %u, MPL %d", seed, job.id.value, mpl);
                ck_assert(has_room_for(job, job.sizes.largest(), mpl, pass.nodes, own) ==
                          placed.has_value());
                fit += placed.has_value();
                over_several += wanted.size() > 1;
                looked_at++;
            }
        }
    }
    ck_assert_int_gt(fit, looked_at / 10);
    ck_assert_int_lt(fit, looked_at * 9 / 10);
    ck_assert_int_gt(over_several, looked_at / 100);
}
END_TEST

} // namespace

Suite *properties_suite() {
    Suite *suite = suite_create("properties");
    TCase *random = tcase_create("random snapshots");
    tcase_add_test(random, never_more_cores_than_free);
    tcase_add_test(random, starts_as_the_job_accepts);
    tcase_add_test(random, resizes_only_who_asked_and_can);
    tcase_add_test(random, one_action_for_a_job);
    tcase_add_test(random, nobody_grows_while_somebody_waits);
    tcase_add_test(random, the_same_input_gives_the_same_decision);
    tcase_add_test(random, a_normalised_snapshot_gives_the_same_decision);
    tcase_add_test(random, backfilling_does_not_delay_the_head);
    tcase_add_test(random, jobs_of_any_spread_have_the_nodes_where_most_fit);
    suite_add_tcase(suite, random);
    return suite;
}

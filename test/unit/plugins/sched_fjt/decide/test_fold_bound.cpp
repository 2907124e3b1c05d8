// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is said to keep a running job from being folded deeper; test_snapshot.cpp has how deep it
// may be.
#include "plugins/sched_fjt/decide/fold_bound.hpp"
#include "run.hpp"

#include <functional>
#include <utility>
#include <vector>

using namespace vmall;
using namespace vmall::sched;
using common::Restraint;

namespace {

// At 10000: a job of four processes on as many cores, which has run for 1000 s.
struct Scene {
    View view;
    JobView job;
    LedgerEntry entry;
    int folding_cost = 133;
    policy::MemoryPerCore memory;
};

Scene running_unfolded() {
    Scene scene;
    scene.view.now = 10000;
    scene.view.steady = 500;
    JobView &job = scene.job;
    job.state = JobState::running;
    job.virtually_malleable = true;
    job.started = 9000;
    job.time_limit = 3600;
    job.limit_in_slurm = 60;
    job.tasks = 4;
    job.allotment = {{{0}, 4}};
    return scene;
}

// Its ranks have sent 10,000 messages a second each for a minute, on nodes whose hand-overs take so
// long.
void send_messages(Scene &scene, std::uint32_t hand_over_ns) {
    constexpr std::uint64_t minute = 60'000'000'000;
    const Held held{4, 4, 1, 1, 0, hand_over_ns};
    scene.entry.useful.note({4, 4, 0, 0, 0, 0, 0}, 0, held);
    scene.entry.useful.note({4, 4, 4 * minute, 0, 0, 2'400'000, 0}, 60, held);
}

void fold_to_mpl(Scene &scene, int mpl) {
    scene.job.allotment = {{{0}, 4 / mpl}};
}

void have_nodes(Scene &scene, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; i++)
        scene.view.nodes[i].cores = 4;
}

// On nodes with 100 MiB for each core, where jobs need half of it on the mean.
void need_memory(Scene &scene, std::uint64_t mebibytes, policy::CoreCounts allotment) {
    for (const policy::NodeCores &here : allotment) {
        scene.job.memory_held[here.node.value] = mebibytes;
        policy::Node node;
        node.cores = 4;
        node.memory = 400;
        scene.memory.add(node);
    }
    policy::RunningJob job;
    job.processes = 4;
    job.memory_per_process = 50;
    scene.memory.add(job);
    scene.job.allotment = std::move(allotment);
}

struct Case {
    const char *what;
    const char *conf;
    std::function<void(Scene &)> change;
    std::optional<Restraint> restraint;
};

const std::vector<Case> cases = {
    {"nothing", "", [](Scene &) {}, {}},
    {"nothing, of one that is folded", "", [](Scene &scene) { fold_to_mpl(scene, 2); }, {}},
    {"its steps", "", [](Scene &scene) { scene.entry.left_alone = true; }, Restraint::unregistered},
    {"GRES", "", [](Scene &scene) { scene.job.gres = true; }, Restraint::gres},
    {"GRES that are folded", "FoldGres=yes", [](Scene &scene) { scene.job.gres = true; }, {}},
    {"no survey yet", "", [](Scene &scene) { scene.job.by_default = true; }, Restraint::unsurveyed},
    {"a process without libvmrt", "",
     [](Scene &scene) {
         scene.job.by_default = true;
         scene.entry.served = false;
     },
     Restraint::unserved},
    {"resizes", "MaxResizeLoss=0", [](Scene &) {}, Restraint::cost},
    {"folds", "MaxFoldsPerJob=3", [](Scene &scene) { scene.entry.folds = 3; }, Restraint::folds},
    {"dear hand-overs", "", [](Scene &scene) { send_messages(scene, 101'000); },
     Restraint::hand_overs},
    {"dear hand-overs, of one that is folded", "",
     [](Scene &scene) {
         send_messages(scene, 101'000);
         fold_to_mpl(scene, 2);
     },
     Restraint::hand_overs},
    {"cheap hand-overs", "", [](Scene &scene) { send_messages(scene, 99'000); }, {}},
    {"the site", "MaxMplPerJob=1", [](Scene &) {}, Restraint::site},
    {"the site, deeper", "MaxMplPerJob=2", [](Scene &scene) { fold_to_mpl(scene, 2); },
     Restraint::site},
    {"the site, not yet", "MaxMplPerJob=2", [](Scene &) {}, {}},
    {"the policy", "MaxMpl=1", [](Scene &) {}, Restraint::level},
    {"the deepest there is", "", [](Scene &scene) { fold_to_mpl(scene, 4); }, Restraint::level},
    {"several nodes", "",
     [](Scene &scene) {
         scene.job.allotment = {{{0}, 1}, {{1}, 1}};
     },
     Restraint::nodes},
    {"several nodes, by another policy",
     "QueueDiscipline=easy",
     [](Scene &scene) {
         scene.job.allotment = {{{0}, 1}, {{1}, 1}};
     },
     {}},
    {"several nodes, not yet",
     "",
     [](Scene &scene) {
         scene.job.allotment = {{{0}, 2}, {{1}, 2}};
     },
     {}},
    {"what it costs", "",
     [](Scene &scene) {
         have_nodes(scene, 2);
         scene.folding_cost = 134;
     },
     Restraint::dear},
    {"what it costs, not yet", "", [](Scene &scene) { have_nodes(scene, 2); }, {}},
    {"what it costs, on one node",
     "",
     [](Scene &scene) {
         have_nodes(scene, 1);
         scene.folding_cost = 134;
     },
     {}},
    {"memory", "",
     [](Scene &scene) {
         need_memory(scene, 101, {{{0}, 2}, {{1}, 2}}); // and with half of a core's: 100.5 %
     },
     Restraint::memory},
    {"memory, not yet",
     "",
     [](Scene &scene) {
         need_memory(scene, 100, {{{0}, 2}, {{1}, 2}});
     },
     {}},
    {"memory, by another policy",
     "QueueDiscipline=easy",
     [](Scene &scene) {
         need_memory(scene, 200, {{{0}, 2}, {{1}, 2}});
     },
     {}},
    {"memory, on one node",
     "",
     [](Scene &scene) {
         need_memory(scene, 400, {{{0}, 4}});
     },
     {}},
    {"what it costs, beside a node whose cores are not known",
     "",
     [](Scene &scene) {
         have_nodes(scene, 1);
         scene.view.nodes[1].cores = 0;
         scene.folding_cost = 134;
     },
     {}},
    {"time", "LimitExtension=0", [](Scene &) {}, Restraint::time},
    {"slurmdbd", "", [](Scene &scene) { scene.job.record_can_end = false; }, Restraint::record},
    {"a node", "", [](Scene &scene) { scene.entry.target.rest_until(501); }, Restraint::node},
};

START_TEST(what_keeps_a_job_from_being_folded_deeper) {
    const Case &one = cases[_i];
    Scene scene = running_unfolded();
    one.change(scene);
    const auto said = restraint_of(scene.view, scene.job, scene.entry, config::parse(one.conf, "f"),
                                   {folding_is_dear(scene.view, scene.folding_cost), scene.memory});
    ck_assert_msg(said == one.restraint, "%s: %s", one.what, said ? name_of(*said) : "none");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("fold_bound");
    tcase_add_loop_test(tests, what_keeps_a_job_from_being_folded_deeper, 0,
                        static_cast<int>(cases.size()));
    return run("fold_bound", tests);
}

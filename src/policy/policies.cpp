// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of policies: a row for each piece, and one for each policy that has a name.
#include "policy/policies.hpp"

#include "policy/queue/discipline.hpp"
#include "policy/sharing/space_sharing.hpp"
#include "policy/sizing/sizing.hpp"
#include "policy/window/window.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

constexpr const char *slurm_orders = "Slurm orders its queue by the priorities of jobs";
constexpr const char *for_comparison = "it is there to compare the others with";

Settings with(QueueDiscipline discipline, Sizing sizing, int max_mpl, WindowPolicy window) {
    Settings settings;
    settings.queue_discipline = discipline;
    settings.sizing = sizing;
    settings.max_mpl = max_mpl;
    settings.window_policy = window;
    return settings;
}

Settings rigid(QueueDiscipline discipline, WindowPolicy window = "keep") {
    return with(discipline, "rigid", 1, window);
}

Settings easy_sjbf() {
    Settings settings = rigid("easy");
    settings.backfill_order = BackfillOrder::shortest;
    return settings;
}

Settings sized(Sizing sizing) {
    return with("fcfs", sizing, highest_mpl, "keep");
}

Settings fjt(QueueDiscipline discipline, int max_mpl) {
    return with(discipline, "fjt", max_mpl, "shrink");
}

NamedPolicy shared_by(const char *discipline) {
    return {discipline, row<Discipline>(discipline).help, fjt(discipline, highest_mpl)};
}

} // namespace

template <>
const std::vector<Row<Discipline>> &rows<Discipline>() {
    static const std::vector<Row<Discipline>> table = {
        {"fcfs", "in the order of the queue; nobody overtakes", make_fcfs},
        {"sjf", "the shortest estimate first; nobody overtakes", make_sjf, slurm_orders},
        {"ljf", "the longest estimate first; nobody overtakes", make_ljf, slurm_orders},
        {"easy",
         "EASY (aggressive) backfilling; a job may overtake as long as the head's reserved start "
         "does not move",
         make_easy},
        {"conservative",
         "every job has a reserved start; a job may overtake as long as none of them moves back",
         make_conservative},
        {"least-work",
         "the least work left for the time waited first; what runs keeps the cores that it has "
         "folded to MaxMpl",
         make_least_work},
        {"equipartition", "4 jobs at a time share each node equally", sharing::make_equipartition},
        {"equip++",
         "the same, but fewer cores for jobs that are less efficient than TargetEfficiency; more "
         "jobs "
         "if all reach it",
         sharing::make_equip_plus_plus},
        {"equal-efficiency", "4 jobs at a time share each node so that all are equally efficient",
         sharing::make_equal_efficiency},
        {"equal-eff++", "the same down to TargetEfficiency; more jobs if all reach it",
         sharing::make_equal_eff_plus_plus},
    };
    return table;
}

template <>
const std::vector<Row<SizingPolicy>> &rows<SizingPolicy>() {
    static const std::vector<Row<SizingPolicy>> table = {
        {"rigid", "the largest size that a job accepts, one core per process", make_rigid},
        {"fjt", "an equal share of the free cores; long jobs are folded for short ones", make_fjt},
        {"psa", "an equal share of the machine, which a job waits for", make_psa},
        {"folding",
         "all free cores; if they are too few, half of what the job that arrived last holds",
         make_folding},
        {"adaptive",
         "long jobs all that they accept, short ones a share; folded if need be, and others are "
         "folded for short ones",
         make_adaptive},
    };
    return table;
}

template <>
const std::vector<Row<ExpiryPolicy>> &rows<ExpiryPolicy>() {
    static const std::vector<Row<ExpiryPolicy>> table = {
        {"shrink", "fold them until the head fits", make_shrink},
        {"requeue", "back into the queue", make_requeue},
        {"keep", "leave them alone", make_keep},
        {"kill", "end them", make_kill, for_comparison},
        {"suspend", "suspend them until the head has started", make_suspend, for_comparison},
    };
    return table;
}

const Policies &policies() {
    static const Policies table = {
        {"fcfs", "first come, first served; every job as large as it accepts", rigid("fcfs"), true},
        {"easy", "EASY (aggressive) backfilling; every job as large as it accepts", rigid("easy"),
         true},
        {"sjf", "the job with the shortest estimate first", rigid("sjf"), true},
        {"ljf", "the job with the longest estimate first", rigid("ljf"), true},
        {"easy-sjbf", "EASY, and the shortest jobs are tried first for backfilling", easy_sjbf(),
         true},
        {"conservative", "conservative backfilling: nobody is delayed by who arrived later",
         rigid("conservative"), true},
        {"easy-requeue",
         "EASY for short jobs, and backfilled jobs that outstay their window are requeued",
         rigid("easy", "requeue")},
        {"easy-kill", "the same, but they are killed", rigid("easy", "kill")},
        {"easy-suspend", "the same, but they are suspended until the head has started",
         rigid("easy", "suspend")},
        {"psa", "first come, first served; sizes by PSA, which waits for a fair share of the cores",
         sized("psa")},
        {"folding", "the job that arrived last is folded in half to let the next one start",
         sized("folding")},
        {"fjt1", "first come, first served; job sizes chosen by FJT, nobody folded",
         fjt("fcfs", 1)},
        {"fjt2", "folding by job type, at most 2 processes on a core", fjt("fcfs", 2)},
        {"fjt3", "folding by job type, at most 3 processes on a core", fjt("fcfs", 3)},
        {"fjt4", "folding by job type, at most 4 processes on a core", fjt("fcfs", 4)},
        {"fjt4-easy", "folding by job type, at most 4 processes on a core, and EASY backfilling",
         fjt("easy", 4)},
        {"bfm",
         "backfilling with malleability: sizes by FJT, jobs that outstay their window folded",
         fjt("easy", 1)},
        {"bfm-requeue", "the same, but they are requeued", with("easy", "fjt", 1, "requeue")},
        {"least-work",
         "the least work left for the time waited first; what runs is folded down to a quarter of "
         "its cores",
         default_settings()},
        shared_by("equipartition"),
        shared_by("equip++"),
        shared_by("equal-efficiency"),
        shared_by("equal-eff++"),
    };
    return table;
}

const NamedPolicy &find_policy(const std::string &name, const Policies &among) {
    const auto found = std::find_if(among.begin(), among.end(),
                                    [&](const NamedPolicy &one) { return name == one.name; });
    if (found != among.end())
        return *found;
    std::string names;
    for (const auto &one : among)
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    throw std::invalid_argument("\"" + name + "\" is not one of the policies " + names);
}

} // namespace vmall::policy

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policies by the names people know them by.
#include "sim/engine/presets.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim {

namespace {

using namespace policy;

Settings rigid(QueueDiscipline discipline) {
    Settings settings;
    settings.queue_discipline = discipline;
    settings.sizing = Sizing::rigid;
    settings.window_policy = WindowPolicy::keep;
    return settings;
}

Settings rigid(QueueDiscipline discipline, WindowPolicy window) {
    Settings settings = rigid(discipline);
    settings.window_policy = window;
    return settings;
}

Settings easy_sjbf() {
    Settings settings = rigid(QueueDiscipline::aggressive);
    settings.backfill_order = BackfillOrder::shortest;
    return settings;
}

Settings sized(Sizing sizing) {
    Settings settings = rigid(QueueDiscipline::fcfs);
    settings.sizing = sizing;
    settings.max_mpl = highest_mpl;
    return settings;
}

Settings fjt(QueueDiscipline discipline, int max_mpl) {
    Settings settings;
    settings.queue_discipline = discipline;
    settings.sizing = Sizing::fjt;
    settings.max_mpl = max_mpl;
    return settings;
}

Settings sharing(Sizing sizing) {
    Settings settings;
    settings.sizing = sizing;
    settings.max_mpl = highest_mpl;
    return settings;
}

std::vector<Preset> make_presets() {
    const auto fcfs = QueueDiscipline::fcfs;
    const auto easy = QueueDiscipline::aggressive;
    return {
        {"fcfs", "first come, first served; every job as large as it accepts", rigid(fcfs), true},
        {"easy", "EASY (aggressive) backfilling; every job as large as it accepts", rigid(easy),
         true},
        {"sjf", "the job with the shortest estimate first", rigid(QueueDiscipline::sjf), true},
        {"ljf", "the job with the longest estimate first", rigid(QueueDiscipline::ljf), true},
        {"easy-sjbf", "EASY, and the shortest jobs are tried first for backfilling", easy_sjbf(),
         true},
        {"conservative", "conservative backfilling: nobody is delayed by who arrived later",
         rigid(QueueDiscipline::conservative), true},
        {"easy-requeue",
         "EASY for short jobs, and backfilled jobs that outstay their window are requeued",
         rigid(easy, WindowPolicy::requeue)},
        {"easy-kill", "the same, but they are killed", rigid(easy, WindowPolicy::kill)},
        {"easy-suspend", "the same, but they are suspended until the head has started",
         rigid(easy, WindowPolicy::suspend)},
        {"psa", "first come, first served; sizes by PSA, which waits for a fair share of the cores",
         sized(Sizing::psa)},
        {"asp-max", "first come, first served; at most 60 % of the cores for one job (ASP-MAX)",
         sized(Sizing::asp_max)},
        {"folding", "the job that arrived last is folded in half to let the next one start",
         sized(Sizing::folding)},
        {"fjt1", "first come, first served; job sizes chosen by FJT, nobody folded", fjt(fcfs, 1)},
        {"fjt2", "folding by job type, at most 2 processes on a core", fjt(fcfs, 2)},
        {"fjt3", "folding by job type, at most 3 processes on a core", fjt(fcfs, 3)},
        {"fjt4", "folding by job type, at most 4 processes on a core", fjt(fcfs, 4)},
        {"fjt4-easy", "folding by job type, at most 4 processes on a core, and EASY backfilling",
         fjt(easy, 4)},
        {"bfm",
         "backfilling with malleability: sizes by FJT, jobs that outstay their window folded",
         fjt(easy, 1)},
        {"adaptive",
         "short jobs first, for whom others are folded; long jobs start with all processes",
         adaptive_settings()},
        {"equipartition", "4 jobs at a time share each node equally",
         sharing(Sizing::equipartition)},
        {"equip++",
         "equal shares, fewer for jobs that measure less than 70 % efficiency; more jobs "
         "if all reach it",
         sharing(Sizing::equip_plus_plus)},
        {"equal-efficiency", "4 jobs at a time share each node so that all are equally efficient",
         sharing(Sizing::equal_efficiency)},
        {"equal-eff++", "the same down to 70 % efficiency; more jobs if all reach it",
         sharing(Sizing::equal_eff_plus_plus)},
    };
}

} // namespace

const std::vector<Preset> &presets() {
    static const std::vector<Preset> all = make_presets();
    return all;
}

const Preset &preset(const std::string &name) {
    const auto found = std::find_if(presets().begin(), presets().end(),
                                    [&](const Preset &one) { return name == one.name; });
    if (found == presets().end()) {
        std::string names;
        for (const auto &one : presets()) {
            names += (names.empty() ? "" : ", ") + std::string(one.name);
        }
        throw std::invalid_argument("\"" + name + "\" is not one of the policies " + names);
    }
    return *found;
}

} // namespace vmall::sim

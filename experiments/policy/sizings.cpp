// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of sizing policies that only papers have.
#include "experiments/policy/sizings.hpp"

namespace vmall::policy::papers {

namespace {

Settings sized(const Row<SizingPolicy> &sizing, WindowPolicy window) {
    Settings settings;
    settings.queue_discipline = "fcfs";
    settings.sizing = sizing;
    settings.max_mpl = highest_mpl;
    settings.window_policy = window;
    return settings;
}

} // namespace

const Row<SizingPolicy> fjt_prose = {
    "fjt-prose", "FJT; long jobs do not wait for short ones that run", make_fjt_prose};
const Row<SizingPolicy> asp60 = {
    "asp60", "all free cores, but no more than 60 % of the machine (ASP-MAX)", make_asp60};

const Policies &policies() {
    static const Policies table = {
        {"fjt4-prose", "fjt4, but long jobs do not wait for short ones that run",
         sized(fjt_prose, "shrink")},
        {"asp60", "first come, first served; at most 60 % of the cores for one job (ASP-MAX)",
         sized(asp60, "keep")},
    };
    return table;
}

} // namespace vmall::policy::papers

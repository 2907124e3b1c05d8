// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim study: which policies are tried, and on what.
#include "tools/vmsim/study_plan.hpp"

#include "config/number.hpp"
#include "policy/policies.hpp"

#include <stdexcept>

namespace vmall::vmsim {

namespace {

Variant easy(const std::string &name) {
    const policy::NamedPolicy named = policy::find_policy("easy");
    Variant variant;
    variant.name = name;
    variant.settings = named.settings;
    variant.rigid_jobs = named.rigid_jobs;
    return variant;
}

Variant ours(const std::string &name) {
    Variant variant;
    variant.name = name;
    variant.settings = policy::default_settings();
    return variant;
}

std::string in_words(const sim::Machine &machine) {
    const std::string cores = std::to_string(machine.cores.front()) + " cores";
    return machine.cores.size() == 1 ? "one node of " + cores
                                     : std::to_string(machine.cores.size()) + " nodes of " + cores;
}

void add_machines(StudyPlan &plan) {
    for (std::size_t machine = 0; machine < plan.machines.size(); machine++) {
        plan.variants.push_back(easy("EASY, " + in_words(plan.machines[machine])));
        plan.variants.back().machine = machine;
    }
    for (std::size_t machine = 0; machine < plan.machines.size(); machine++) {
        plan.variants.push_back(ours("default, " + in_words(plan.machines[machine])));
        plan.variants.back().machine = machine;
        plan.variants.back().drawn = true;
        plan.variants.back().by_class = true;
    }
}

// What chance does: EASY is compared with itself.
void add_disturbed(StudyPlan &plan) {
    for (std::size_t machine = 0; machine < plan.machines.size(); machine++) {
        Variant variant =
            easy("EASY, " + in_words(plan.machines[machine]) + ", run times a second off");
        variant.machine = machine;
        variant.disturbed = true;
        plan.variants.push_back(variant);
    }
}

void add_depths(StudyPlan &plan) {
    for (int mpl = 1; mpl <= policy::highest_mpl; mpl++) {
        Variant variant = ours("MaxMpl=" + std::to_string(mpl));
        if (variant.settings.max_mpl == mpl)
            continue; // the default's row
        variant.settings.max_mpl = mpl;
        plan.variants.push_back(variant);
    }
}

void add_shares(StudyPlan &plan) {
    for (std::size_t machine = 0; machine < plan.machines.size(); machine++) {
        const std::string on = machine > 0 ? ", " + in_words(plan.machines[machine]) : "";
        for (const int percent : {50, 10}) {
            Variant variant = ours(std::to_string(percent) + " % take part" + on);
            variant.machine = machine;
            variant.share = percent / 100.0;
            variant.drawn = machine == 0;
            plan.variants.push_back(variant);
        }
    }
}

void add_estimates(StudyPlan &plan) {
    constexpr std::pair<const char *, sim::Estimates> kinds[] = {
        {"exact estimates", sim::Estimates::exact},
        {"predicted estimates", sim::Estimates::predicted},
        {"no estimates", sim::Estimates::none}};
    plan.variants.push_back(ours("a tenth of the users say a minute"));
    plan.variants.back().estimates = sim::Estimates::too_short;
    for (const bool by_us : {true, false}) {
        for (const auto &[name, estimates] : kinds) {
            Variant variant = by_us ? ours(name) : easy(std::string("EASY, ") + name);
            variant.estimates = estimates;
            plan.variants.push_back(variant);
        }
    }
}

} // namespace

sim::Machine parse_nodes(const std::string &text) {
    const std::size_t x = text.find('x');
    const auto nodes = config::whole_number(text.substr(0, x), 1, 10'000);
    const auto cores =
        x == std::string::npos ? std::nullopt : config::whole_number(text.substr(x + 1), 1, 65535);
    if (!nodes || !cores)
        throw std::invalid_argument(config::quoted(text) +
                                    " is not NODESxCORES, up to 10000 nodes of 65535 cores");
    return {std::vector<int>(static_cast<std::size_t>(*nodes), static_cast<int>(*cores))};
}

StudyPlan study_plan(int cores, const std::vector<std::string> &nodes, bool log_says_who) {
    StudyPlan plan;
    plan.machines.push_back({{cores}});
    for (const std::string &text : nodes)
        plan.machines.push_back(parse_nodes(text));
    add_machines(plan);
    add_disturbed(plan);
    add_depths(plan);
    if (!log_says_who)
        add_shares(plan);
    add_estimates(plan);
    return plan;
}

} // namespace vmall::vmsim

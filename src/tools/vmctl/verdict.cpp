// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is right or wrong about an installation.
#include "tools/vmctl/verdict.hpp"

#include "config/keys.hpp"
#include "vmall_config.h"

#include <cstdlib>
#include <ctime>
#include <slurm/slurm.h>

namespace vmall::vmctl {

namespace {

using wire::Confinement;
using wire::Installation;

const std::string type_to_use = "select/cons_tres_vmall";

const std::string built_for = wire::slurm_release(SLURM_VERSION_NUMBER);

std::string release_of(const Installation &installation) {
    return "slurm-vmall " + installation.version + " for Slurm " + installation.slurm;
}

// Of the part that answered; `daemon` has loaded it and is of the Slurm release `running`, or of
// one that is not known.
Diagnosis release(const std::string &check, const std::string &where,
                  const Installation &installation, const std::string &daemon,
                  const std::string &running) {
    const std::string found = release_of(installation);
    if (installation.version != PACKAGE_VERSION)
        return {check,
                {where},
                found + ", and here is " PACKAGE_VERSION,
                "Install the same release everywhere and restart " + daemon + "."};
    if (!running.empty() && installation.slurm != running)
        return {check,
                {where},
                found + ", and " + daemon + " is " + running,
                "Build slurm-vmall again, for Slurm " + running +
                    ", install it there and restart " + daemon + "."};
    return {check, {where}, found, ""};
}

Diagnosis clock(const std::string &where, std::time_t ahead) {
    const std::time_t seconds = std::abs(ahead);
    if (seconds <= highest_clock_difference)
        return {"clock",
                {where},
                "no more than " + std::to_string(highest_clock_difference) +
                    " s from the one of this host",
                ""};
    return {"clock",
            {where},
            std::to_string(seconds) + " s " + (ahead > 0 ? "ahead of" : "behind") +
                " the one of this host",
            "Set both by the same time server (NTP): from 60 s on, messages are refused."};
}

const std::string *value_of(const std::string &key, const Settings &settings) {
    for (const wire::SettingRow &row : settings)
        if (row.key == key)
            return &row.value;
    return nullptr;
}

// "MaxMpl=2 instead of 1", for those keys in which both have something else.
template <typename Matters>
std::string differences(const Settings &found, const Settings &expected, Matters matters) {
    std::string text;
    for (const wire::SettingRow &row : expected) {
        const std::string *value = value_of(row.key, found);
        if (value && *value != row.value && matters(row))
            text += (text.empty() ? "" : ", ") + row.key + "=" + *value + " instead of " +
                    (row.value.empty() ? "none" : row.value);
    }
    return text;
}

// Those that vmctl set has changed since are in no file.
bool is_in_file(const wire::SettingRow &row) {
    return row.from != "vmctl";
}

// What an agent goes by, as slurmd's start found it. AgentTimeout is the controller's as well,
// which reads it at any time; ControlPort is only the controller's,
// MetricsAddress only vmall-exporter's.
bool agent_goes_by(const wire::SettingRow &row) {
    if (row.key == "ControlPort" || row.key == "MetricsAddress")
        return false;
    if (row.key == "AgentTimeout")
        return is_in_file(row);
    for (const config::Key &key : config::keys())
        if (row.key == key.name)
            return key.taken == config::Taken::at_start;
    return false;
}

Diagnosis settings(const std::string &where, const std::string &differences,
                   const std::string &agreement, const std::string &fix) {
    if (differences.empty())
        return {"vmall.conf", {where}, agreement, ""};
    return {"vmall.conf", {where}, differences, fix};
}

Diagnosis confinement(const std::string &node, Confinement found) {
    const auto diagnosis = [&](const std::string &what, const std::string &fix = "") {
        return Diagnosis{"confinement", {node}, what, fix};
    };
    switch (found) {
    case Confinement::cgroup_v1:
        return diagnosis("cpusets of cgroup v1");
    case Confinement::cgroup_v2:
        return diagnosis("cpusets of cgroup v2");
    case Confinement::affinity:
        return diagnosis("affinity: there are no cpusets without TaskPlugin=task/cgroup and "
                         "ConstrainCores=yes");
    case Confinement::missing:
        break;
    }
    return diagnosis("ConstrainCores=yes, but there are no cpusets below CgroupMountpoint",
                     "Mount the cpuset controller there, or correct CgroupMountpoint of "
                     "cgroup.conf, and restart slurmd.");
}

Diagnosis libvmrt(const std::string &node, const Installation &found) {
    const std::string *path = value_of("VmrtLibrary", found.settings);
    const std::string what = path ? *path : "VmrtLibrary";
    if (found.node->has_vmrt)
        return {"libvmrt", {node}, what, ""};
    return {"libvmrt",
            {node},
            what + " is not there",
            "Install slurm-vmall there, or correct VmrtLibrary of vmall.conf and restart slurmd."};
}

// No matter how dear it is, nothing is wrong with it.
Diagnosis hand_over(const std::string &node, const Installation &found, std::time_t now) {
    const auto &known = found.node->hand_over;
    return {"hand-over",
            {node},
            known ? wire::describe(*known, now) : "not measured yet: no CPU has had time for it",
            ""};
}

} // namespace

bool is_our_select(const std::string &type) {
    return type == type_to_use || type == "select/vmall";
}

std::string select_plugin_file(const std::string &select_type) {
    std::string file = is_our_select(select_type) ? select_type : type_to_use;
    file[file.find('/')] = '_';
    return file + ".so";
}

Diagnoses judge_slurm(const SlurmFacts &slurm) {
    Diagnoses diagnoses;
    if (slurm.version == built_for)
        diagnoses.push_back({"Slurm", {"controller"}, slurm.version, ""});
    else
        diagnoses.push_back(
            {"Slurm",
             {"controller"},
             slurm.version + ", and slurm-vmall was built for " + built_for,
             "Build slurm-vmall again, for Slurm " + slurm.version + ", and install it."});
    const auto add = [&](const std::string &what, const std::string &fix = "") {
        diagnoses.push_back({"slurm.conf", {"controller"}, what, fix});
    };
    const std::string select = "SelectType=" + slurm.select_type;
    const std::string scheduler = "SchedulerType=" + slurm.scheduler_type;
    if (!is_our_select(slurm.select_type))
        add(select, "Put SelectType=" + type_to_use + " into slurm.conf and restart slurmctld.");
    else if (slurm.scheduler_type != "sched/fjt" && slurm.scheduler_type != "sched/backfill")
        add(scheduler, "Put SchedulerType=sched/fjt into slurm.conf and restart slurmctld.");
    else
        add(select + ", " + scheduler);
    return diagnoses;
}

Diagnosis judge_slurm_without_ours(const SlurmFacts &slurm) {
    const std::string select = "SelectType=" + slurm.select_type;
    const auto diagnosis = [&](const std::string &what, const std::string &fix = "") {
        return Diagnosis{"slurm.conf", {"controller"}, what, fix};
    };
    if (slurm.select_type != "select/cons_tres")
        return diagnosis(select + ", and agents deal cores themselves (mode=node)",
                         "Put SelectType=select/cons_tres into slurm.conf and restart slurmctld, "
                         "or take mode=node out of plugstack.conf and restart slurmd.");
    if (slurm.is_gang_scheduled)
        return diagnosis("PreemptMode=GANG suspends jobs that share cores in turns",
                         "Take GANG out of PreemptMode in slurm.conf and restart slurmctld.");
    return diagnosis(select + ", and agents deal cores themselves (mode=node)");
}

Diagnoses judge_controller(const Introduction &controller, const SlurmFacts &slurm,
                           const Settings &here) {
    const std::string check = "sched/fjt", where = "controller";
    if (!controller.installation)
        return {{check,
                 {where},
                 controller.problem,
                 "Put SchedulerType=sched/fjt into slurm.conf and restart slurmctld; if it is "
                 "there, see why in slurmctld's log. ControlPort must be the same in vmall.conf "
                 "here and there, and open in the firewall."}};
    const Installation &found = *controller.installation;
    return {release(check, where, found, "slurmctld", slurm.version),
            clock(where, controller.clock_ahead),
            settings("here", differences(here, found.settings, is_in_file),
                     "the controller has the same",
                     "Let vmall.conf be the same here and on the controller; scontrol reconfigure "
                     "makes slurmctld read it again.")};
}

Diagnoses judge_node(const Introduction &agent, const ExpectedNode &expected) {
    const std::string &node = expected.name;
    const auto wrong = [&](const std::string &what, const std::string &fix) {
        return Diagnoses{{"agent", {node}, what, fix}};
    };
    if (!agent.installation)
        return wrong(agent.problem,
                     "Start slurmd there. If it runs, its log says what is wrong with the node "
                     "agent: the line in plugstack.conf, vmall.conf, munge or the clock; and "
                     "AgentPort must be open in the firewall.");
    const Installation &found = *agent.installation;
    if (!found.node || found.node->name != node)
        return wrong(
            "somebody else answers there: " +
                (found.node ? "the agent of " + found.node->name : "a controller"),
            "Where several slurmds are on one host, each needs an AgentPort of its own: "
            "AgentPort=+N in vmall.conf, or where spank_vm.so has its settings in "
            "plugstack.conf, N from the port of each slurmd. ControlPort is none of these.");
    Diagnoses diagnoses = {release("agent", node, found, "slurmd", expected.slurm),
                           clock(node, agent.clock_ahead),
                           confinement(node, found.node->confinement), libvmrt(node, found)};
    if (const auto &kernel = found.node->kernel)
        diagnoses.push_back({"kernel", {node}, wire::describe(*kernel), ""});
    diagnoses.push_back(hand_over(node, found, std::time(nullptr)));
    diagnoses.push_back(
        settings(node, differences(found.settings, expected.settings, agent_goes_by),
                 "of what daemons read when they start, the agent has the same",
                 "Let vmall.conf be the same there and on the controller, and restart slurmd."));
    return diagnoses;
}

} // namespace vmall::vmctl

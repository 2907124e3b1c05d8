// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks the installation.
#include "tools/vmctl/doctor.hpp"

#include "common/owned_text.hpp"
#include "config/keys.hpp"
#include "config/plugin_arguments.hpp"
#include "slurmglue/port_conflict.h"
#include "tools/vmctl/controller.hpp"
#include "tools/vmctl/local_files.hpp"
#include "tools/vmctl/slurm_nodes.hpp"
#include "tools/vmctl/verdict.hpp"
#include "wire/seal.hpp"

#include <algorithm>
#include <exception>
#include <limits.h>
#include <unistd.h>

namespace vmall::vmctl {

namespace {

using wire::ChannelError;

std::string text(const char *owned_by_slurm) {
    return owned_by_slurm ? owned_by_slurm : "";
}

// Why this host cannot seal, or open what it sealed; empty: it can.
std::string problem_with_munge(const std::string &socket) {
    try {
        const wire::Seal seal(socket);
        seal.open(seal.seal("", geteuid()));
        return "";
    } catch (const ChannelError &error) {
        return error.what();
    }
}

Diagnosis judge_munge(const std::string &socket) {
    const std::string name = socket.empty() ? "the default socket" : socket;
    if (const std::string problem = problem_with_munge(socket); !problem.empty())
        return {"munge",
                {"here"},
                name + ": " + problem,
                "Start munged (systemctl start munge); if it runs, name its socket in MungeSocket "
                "of vmall.conf."};
    return {"munge", {"here"}, name, ""};
}

// The node agents' and the controller's; of a port relative to slurmd's, what it is on most nodes.
Diagnosis judge_ports(const slurm_conf_t &conf, const config::Config &config) {
    const std::pair<const char *, int> ports[] = {
        {"AgentPort", config.agent_port.on_node(static_cast<int>(conf.slurmd_port))},
        {"ControlPort", config.control_port}};
    std::string all;
    for (const auto &[key, port] : ports) {
        const std::string conflict = common::taken(vmall_port_conflict(&conf, key, port));
        if (!conflict.empty())
            return {"ports",
                    {"here"},
                    conflict,
                    std::string("Give ") + key +
                        " of vmall.conf another port on all hosts, in none of SlurmctldPort, "
                        "SlurmdPort and SrunPortRange, and restart slurmctld and the slurmds."};
        all += (all.empty() ? "" : ", ") + std::string(key) + " " + std::to_string(port);
    }
    return {"ports", {"here"}, all, ""};
}

bool runs_controller(const slurm_conf_t &conf) {
    char name[HOST_NAME_MAX + 1] = {};
    gethostname(name, sizeof name - 1);
    const std::string host = std::string(name).substr(0, std::string(name).find('.'));
    return std::any_of(conf.control_machine, conf.control_machine + conf.control_cnt,
                       [&](const char *machine) { return text(machine) == host; });
}

SlurmFacts facts_of(const slurm_conf_t &conf) {
    return {text(conf.version), text(conf.select_type), text(conf.schedtype),
            (conf.preempt_mode & PREEMPT_MODE_GANG) != 0};
}

std::vector<std::string> plugins_needed(const slurm_conf_t &conf) {
    std::vector<std::string> files = {select_plugin_file(text(conf.select_type)),
                                      "select_cons_tres.so"};
    if (runs_controller(conf))
        files.insert(files.end(), {"sched_fjt.so", "sched_backfill.so"});
    return files;
}

Settings settings_in(const config::Config &config) {
    Settings settings;
    for (const config::Value &value : config::values(config))
        settings.push_back({value.key.name, value.text, value.is_default ? "default" : "file"});
    return settings;
}

Diagnoses judge_nodes(const std::vector<SlurmNode> &nodes, const config::Config &config,
                      const std::string &munge_socket, const Settings &expected,
                      std::chrono::milliseconds patience) {
    std::vector<SlurmNode> running;
    std::vector<AgentAddress> agents;
    Diagnoses diagnoses;
    for (const SlurmNode &node : nodes) {
        if (!node.is_running) {
            diagnoses.push_back({"agent", {node.name}, "not asked: it is switched off", ""});
            continue;
        }
        running.push_back(node);
        agents.push_back({node.address, config.agent_port.on_node(node.port)});
    }
    const std::vector<Introduction> met = meet(agents, munge_socket, patience);
    for (std::size_t i = 0; i < met.size(); ++i)
        for (Diagnosis &diagnosis :
             judge_node(met[i], {running[i].name, running[i].version, expected}))
            diagnoses.push_back(std::move(diagnosis));
    return merged(diagnoses);
}

// The parts of an examination, in their order. Those on which more depends say whether to go on.
class Examination {
  public:
    explicit Examination(std::chrono::milliseconds patience) : patience_(patience) {}

    bool read_settings() {
        const auto arguments = arguments_of_dealing_agents();
        deals_cores_ = arguments.has_value();
        const std::string path = deals_cores_ ? "as plugstack.conf says" : config::default_path();
        try {
            config_ = deals_cores_ ? config::settings_by(*arguments) : config::load(path);
            return add({"vmall.conf", {"here"}, path, ""});
        } catch (const config::ConfigError &error) {
            return add({"vmall.conf",
                        {"here"},
                        error.what(),
                        "Correct it: vmall.conf(5) says what a line may be."});
        }
    }

    // munge first: without it slurmctld does not answer either, but only slurm.conf may say where
    // munged is.
    bool ask_slurmctld(const std::optional<Address> &asked_at) {
        std::string problem;
        controller_.munge_socket = config_.munge_socket;
        try {
            conf_ = load_slurm_conf();
            controller_ = controller_by(*conf_, config_);
        } catch (const std::runtime_error &error) {
            problem = error.what();
        }
        if (asked_at)
            ask_at(controller_, *asked_at);
        if (!add(judge_munge(controller_.munge_socket)))
            return false;
        if (problem.empty())
            return true;
        return add(
            {"Slurm",
             {"controller"},
             problem,
             "Start slurmctld there; if it does not start, its log says why. Where it says "
             "\"Incompatible plugin version\", build slurm-vmall again, for the Slurm that is "
             "installed. If it runs, see that munge has the same key here and there, and that "
             "slurm.conf is the same."});
    }

    void judge_files() {
        if (!deals_cores_)
            add(judge_plugins(text(conf_->plugindir), plugins_needed(*conf_)));
        add(judge_plugstack(plugstack_conf(), text(conf_->plugindir)));
    }

    // Slurm looks beside slurm.conf unless that says where.
    std::string plugstack_conf() const {
        const std::string configured = text(conf_->plugstack);
        return configured.empty() ? config::beside_slurm_conf("plugstack.conf") : configured;
    }

    void judge_daemons() {
        add(judge_ports(*conf_, config_));
        const Settings here = settings_in(config_);
        if (deals_cores_) {
            add(judge_slurm_without_ours(facts_of(*conf_)));
            if (const auto nodes = name_nodes())
                add(judge_nodes(*nodes, config_, controller_.munge_socket, here, patience_));
            return;
        }
        add(judge_slurm(facts_of(*conf_)));
        const Introduction controller = meet(controller_, patience_);
        add(judge_controller(controller, facts_of(*conf_), here));
        const auto nodes = name_nodes();
        if (nodes)
            add(judge_nodes(*nodes, config_, controller_.munge_socket,
                            controller.installation ? controller.installation->settings : here,
                            patience_));
    }

    Diagnoses take() { return std::move(diagnoses_); }

  private:
    std::optional<std::vector<SlurmNode>> name_nodes() {
        try {
            return load_slurm_nodes();
        } catch (const std::runtime_error &error) {
            add({"nodes",
                 {"here"},
                 error.what(),
                 "Install slurm-vmall here, for the Slurm that is here, and name its directory in "
                 "PluginDir of slurm.conf here: all programs with libslurm need the select plugin "
                 "of the cluster to read records of nodes."});
            return std::nullopt;
        }
    }
    bool add(Diagnosis diagnosis) {
        diagnoses_.push_back(std::move(diagnosis));
        return diagnoses_.back().ok();
    }
    void add(Diagnoses diagnoses) {
        for (Diagnosis &diagnosis : diagnoses)
            diagnoses_.push_back(std::move(diagnosis));
    }

    const std::chrono::milliseconds patience_;
    Diagnoses diagnoses_;
    bool deals_cores_ = false; // mode=node, here
    config::Config config_;
    SlurmConf conf_{nullptr, vmall_free_conf_answer};
    Controller controller_;
};

} // namespace

Diagnoses examine(const std::optional<Address> &asked_at, std::chrono::milliseconds patience) {
    Examination examination(patience);
    if (examination.read_settings() && examination.ask_slurmctld(asked_at)) {
        examination.judge_files();
        examination.judge_daemons();
    }
    return examination.take();
}

} // namespace vmall::vmctl

// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmall.conf: one line per key, `Key=value`, `#` starts a comment, keys in any case, as in Slurm's
// own files. etc/vmall.conf.example documents every key.
#pragma once

#include "config/limit.hpp"
#include "config/runtime_settings.hpp"
#include "policy/model.hpp"
#include "policy/settings.hpp"

#include <limits>
#include <map>
#include <stdexcept>
#include <string>

namespace vmall::config {

// An agent's TCP port: the same on every node, or relative to the port of the node's slurmd
// (`+100`; for several slurmds on one host).
struct AgentPort {
    bool relative = false;
    int value = 7850;
    int on_node(int slurmd_port) const { return relative ? slurmd_port + value : value; }
};

inline constexpr int unlimited_folds = std::numeric_limits<int>::max();
inline constexpr int unlimited_extension = std::numeric_limits<int>::max();

// Limits of the site that hold for jobs however much time folding has cost them.
struct HardLimits {
    bool partition = false; // MaxTime
    bool qos = false;       // MaxWall
};

// Beside whom jobs can be folded that take whole nodes, to lend each other cores.
enum class LendWholeNodes { no, user, account, partition, yes };

// Where make install put libvmrt.so.
const char *default_vmrt_library();

struct Config {
    policy::Settings policy = policy::default_settings();

    // Class of a virtually malleable job without --vm-class: by its Slurm partition, else by its
    // time limit (short up to and including short_time_limit), else long.
    std::map<std::string, policy::JobClass> class_by_partition;
    policy::Seconds short_time_limit = 10 * 60;

    Limit take_part{0}; // 1: jobs that neither asked nor opted out do; of several, the lowest holds

    // What may be done to one job, whatever the policy would like.
    Limit max_mpl_per_job{policy::highest_mpl};
    Limit max_folds_per_job{unlimited_folds};
    Limit max_resize_loss{policy::default_resize_loss}; // the general one is the policy's, too
    Limit limit_extension{unlimited_extension}; // seconds that folding may add to a time limit
    HardLimits hard_limits;
    LendWholeNodes lend_whole_nodes = LendWholeNodes::no;
    bool fold_gres = false;     // jobs that have some can be folded; the GRES stay
    bool fold_unserved = false; // jobs none of whose tasks on a node libvmrt can serve

    policy::Seconds schedule_interval = 5;      // between scheduling passes without an event
    policy::Seconds resize_retry_interval = 10; // after a node did not answer or refused
    policy::Seconds survey_interval = 60;       // of how ranks spend their time; 0: never
    bool job_note = true;                       // of sched/fjt, in AdminComment
    int history_size = 4;                       // MiB; 0: none is kept
    AgentPort agent_port;
    int agent_timeout_ms = 2000; // for one node's answer
    int control_port = 7851;     // where vmctl asks the controller
    std::string metrics_address; // ADDRESS:PORT of vmall-exporter; empty: it serves nothing
    std::string runtime_dir = "/run/slurm-vmall/%n";   // of the agent; %n: the node's name
    std::string vmrt_library = default_vmrt_library(); // preloaded into the tasks
    RuntimeSettings runtime;                           // of jobs that do not override it
    std::string munge_socket;                          // empty: munge's own default

    std::map<std::string, std::string> texts; // key → value, as written, of those that were set
};

// A file that cannot be read or does not parse; what() names file, line and key.
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A file in the directory of slurm.conf: that of $SLURM_CONF, else Slurm's of the build
// (SYSCONFDIR/slurm).
std::string beside_slurm_conf(const std::string &name);

// Where vmall.conf is for this process: $VMALL_CONF, else beside slurm.conf.
std::string default_path();

// Reads the whole file or throws ConfigError. Every key has a default; a missing file is an error.
Config load(const std::string &path);

// Who is going to use the settings: the Slurm plugins refuse policies that only vmsim carries out.
enum class User { slurm, vmsim };

// The same from text; `path` is only named in errors.
Config parse(const std::string &text, const std::string &path, User user = User::slurm);

// Lines of vmall.conf that make these settings when they are parsed, for what outlives the code
// that a Config points to: the tables of policies are in each plugin.
std::string as_lines(const Config &config);

// Changes one setting of a scheduler that runs: what vmctl set does. Throws ConfigError, which
// begins with the key and leaves `config` as it was, for what a line of the file would be refused
// for, and for a key that daemons read only when they start. Returns
// the key as the manual writes it.
std::string change(Config &config, const std::string &name, const std::string &value);

} // namespace vmall::config

// SPDX-License-Identifier: GPL-2.0-or-later
//
// All virtually malleable jobs of this node, and what is to be done with a message about one.
// Threads may share it.
#pragma once

#include "spank_vm/agent/entries.hpp"
#include "spank_vm/agent/refusal.hpp"
#include "spank_vm/agent/resident.hpp"
#include "spank_vm/node/local_messages.hpp"
#include "wire/messages.hpp"
#include "wire/roll_call.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace vmall::agent {

class Jobs {
  public:
    // Recovers the jobs whose files are in the runtime directory.
    explicit Jobs(Node node);

    // Whoever sent the target has been found entitled to it. Waits a moment for a step of the job
    // that is just starting: Slurm makes its cpusets wide enough for what the job had before, in
    // several steps, one of which may fail if they become narrow meanwhile.
    wire::Answer handle(const wire::Target &target);
    // Which jobs live here. Whoever called has been found entitled to it. Throws std::exception.
    wire::Roll call_roll();
    // To be called a little after a target was applied. Logs what fails.
    void recheck(std::uint32_t job_id);
    // A step of the job starts under this slurmstepd. On return the job's control block is there.
    // Throws std::exception; the step then runs unattached.
    void add_step(const spank_vm::Registration &registration, const Process &stepd);
    // Puts the step where the job is now. Throws std::exception.
    void launched(const spank_vm::Launched &launched);
    // The job has ended here: removes everything of it. Throws std::exception.
    void forget(std::uint32_t job_id);
    // All jobs that are known here, whether they take part or not; the lowest number first.
    std::vector<Resident> residents();
    // What the ranks of each job did here so far, by one look at all processes.
    std::map<std::uint32_t, wire::RankReport> survey_ranks();
    // Jobs that no step lives of as far as we know: they may have ended.
    std::vector<std::uint32_t> without_steps();
    // The same as forget(), unless a step has come meanwhile.
    void forget_without_steps(std::uint32_t job_id);

  private:
    // With the mutex of the entry locked:
    void recover(std::uint32_t job_id, Entry &entry);
    bool has_stray_step(std::uint32_t job_id, const Entry &entry) const;
    bool has_starting_step(std::uint32_t job_id, const Entry &entry) const;
    JobEvent event_of(const wire::Target &target, const Entry &entry) const;
    JobEvent event_before_first_step(const wire::Target &target, const Entry &entry) const;
    std::optional<Refusal> take(const wire::Target &target, Entry &entry, wire::Answer &answer);
    void erase(std::uint32_t job_id, Entry &entry);
    void begin_anew(const wire::Target &target, Entry &entry);
    std::optional<Refusal> move(const wire::Target &target, Entry &entry, wire::Answer &answer);
    void see_whether_run_anew(const spank_vm::Registration &step, Entry &entry);
    void begin(JobDeed deed, const spank_vm::Registration &registration, KnownJob &known);

    const Node node_;
    Entries entries_;
};

} // namespace vmall::agent

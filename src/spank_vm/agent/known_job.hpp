// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent knows of one job: in each of its states (knowledge.hpp) what belongs to it.
#pragma once

#include "spank_vm/agent/job.hpp"
#include "spank_vm/agent/knowledge.hpp"
#include "spank_vm/node/local_messages.hpp"
#include "wire/messages.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vmall::agent {

class KnownJob {
  public:
    Knowledge state() const { return static_cast<Knowledge>(what_.index()); }

    void remember(wire::Target target) { what_ = std::move(target); }
    // As `deed` has it: with the allotment that first_allotment() says.
    void begin(JobDeed deed, Job job) {
        what_.emplace<Begun>(Begun{std::move(job), deed == JobDeed::begin_beside});
    }
    void recover(Job job) { what_.emplace<Begun>(Begun{std::move(job), false}); }
    void damage(std::string why) { what_ = Damage{std::move(why)}; }
    void forget() { what_ = Nothing{}; }
    // Where its target says that it is to be.
    void has_moved() { std::get<Begun>(what_).has_what_slurm_says = false; }

    // Null in other states than remembered, known and damaged.
    const wire::Target *remembered() const { return std::get_if<wire::Target>(&what_); }
    Job *job();
    const Job *job() const;
    const std::string *damage() const;

    // Of which run it is, if that was said.
    std::optional<std::uint32_t> run() const;
    // The target's generation was applied, and was another allotment.
    bool is_contradicted_by(const wire::Target &target) const;

    JobEvent event_of(const spank_vm::Registration &step) const;
    // Of a job that begins with the step.
    Allotment first_allotment(JobDeed deed, const spank_vm::Registration &step) const;

  private:
    struct Nothing {};
    struct Begun {
        Job job;
        // It has the cores that its first step began with, not those of the remembered target.
        bool has_what_slurm_says;
    };
    struct Damage {
        std::string why;
    };

    std::variant<Nothing, wire::Target, Begun, Damage> what_; // in the order of Knowledge
};

Allotment allotment_of(const wire::Target &target);

} // namespace vmall::agent

// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmd and slurmstepd do is told as doc/protocol.md and src/spank_vm/step/ have it.
#include "node.hpp"

#include "clock.hpp"
#include "controller.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/node/cpu_mask.hpp"
#include "spank_vm/node/local_messages.hpp"
#include "trace.hpp"
#include "wire/roll_call.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace vmall::simulation {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds patience_with_agent = 3s;

const agent::CoreMap &core_map(std::uint32_t cores) {
    static const agent::CoreMap map = [&] {
        hwloc_topology_t topology;
        hwloc_topology_init(&topology);
        hwloc_topology_set_synthetic(topology, ("core:" + std::to_string(cores) + " pu:1").c_str());
        hwloc_topology_load(topology);
        const agent::CoreMap result(topology, cores);
        hwloc_topology_destroy(topology);
        return result;
    }();
    return map;
}

std::string name_of(const Step &step) {
    return "step " + (step.number == SLURM_BATCH_SCRIPT ? "batch" : std::to_string(step.number)) +
           " of job " + std::to_string(step.job.id);
}

} // namespace

Node::Node(NodeIndex number, std::uint32_t core_count, bool makes_cpusets)
    : index(number), machine("n" + std::to_string(number), core_count, makes_cpusets) {
    start_agent(Random(0), std::nullopt);
}

template <typename Work>
bool Node::with_agent(Random chances, std::optional<int> calls_until_killed, const Work &work) {
    const Here here(machine);
    machine.run_agent(chances, calls_until_killed);
    machine.agent_is_at_work = true;
    bool lives = true;
    try {
        work();
    } catch (const AgentKilled &) {
        kill_agent();
        lives = false;
    }
    machine.agent_is_at_work = false;
    return lives;
}

void Node::start_agent(Random chances, std::optional<int> calls_until_killed) {
    with_agent(
        chances, calls_until_killed,
        [&] {
            const auto cores = static_cast<std::uint32_t>(as_list(machine.all).size());
            agent_ = std::make_unique<agent::Jobs>(agent::Node{machine.name,
                                                               "",
                                                               spank_vm::RuntimeDir(""),
                                                               core_map(cores),
                                                               agent::Cpusets("", ""),
                                                               {},
                                                               500ms});
        });
}

void Node::kill_agent() {
    tell([&] { return "    the agent of " + machine.name + " is killed"; });
    agent_.reset();
    rechecks.clear();
    told_runs_.clear();
}

std::optional<std::string> Node::answer(const std::string &question, bool is_late, Random chances,
                                        std::optional<int> calls_until_killed) {
    std::optional<std::string> result;
    if (wire::decode_roll_call(question)) {
        with_agent(chances, calls_until_killed,
                   [&] { result = wire::encode(agent_->call_roll()); });
        return result;
    }
    const wire::Target target = wire::decode_target(question);
    const auto known = state_of(target.job_id);
    const bool is_old = known && target.generation < known->allotment.generation;
    const std::string before = is_old || is_late ? allotment_of(target.job_id) : "";
    if (is_old || is_late)
        machine.let_programs_rest = true;
    with_agent(chances, calls_until_killed, [&] {
        const wire::Answer answer = agent_->handle(target);
        tell([&] {
            static const char *const outcomes[] = {"applied", "superseded", "unknown_job",
                                                   "refused"};
            return "    " + machine.name + " answers for job " + std::to_string(answer.job_id) +
                   ", generation " + std::to_string(target.generation) + ", cores " +
                   as_text(as_bits(target.cores)) + ": " +
                   outcomes[static_cast<int>(answer.outcome)] + " " +
                   std::to_string(answer.generation) + " " + answer.reason;
        });
        if (answer.outcome == wire::Outcome::applied ||
            answer.outcome == wire::Outcome::unknown_job)
            told_runs_[answer.job_id] = target.run.value_or(0);
        if (answer.outcome == wire::Outcome::applied)
            rechecks.push_back(answer.job_id);
        result = wire::encode(answer);
    });
    machine.let_programs_rest = false;
    const std::string after = is_old || is_late ? allotment_of(target.job_id) : "";
    // Where nothing of a job lives, its number may be another job's by now.
    if (after != before && !after.empty())
        throw Violation{std::string("a target of an ") +
                        (is_old ? "older generation" : "earlier run") + " changes job " +
                        std::to_string(target.job_id) + " on " + machine.name};
    return result;
}

bool Node::knows_run_of(const Job &job) const {
    const auto told = told_runs_.find(job.id);
    const auto state = state_of(job.id);
    return (told != told_runs_.end() && told->second >= job.run) ||
           (state && state->allotment.run && *state->allotment.run >= job.run);
}

void Node::recheck(Random chances) {
    const JobId job = rechecks.front();
    rechecks.erase(rechecks.begin());
    with_agent(chances, std::nullopt, [&] { agent_->recheck(job); });
}

// slurmctld is asked whether they have ended (Leftovers).
void Node::look_for_leftovers() {
    with_agent(
        Random(0), std::nullopt,
        [&] {
            for (const JobId id : agent_->without_steps())
                if (!slurm->find(id))
                    agent_->forget_without_steps(id);
        });
}

bool Node::can_take(const Order &order) const {
    return order.node == index && !is_hung &&
           (order.kind != Order::launch || std::none_of(
                                               steps.begin(), steps.end(),
                                               [&](const Step &step) {
                                                   return step.job.id == order.job.id &&
                                                          step.job.start != order.job.start &&
                                                          !step.is_lost;
                                               }));
}

void Node::take(const Order &order, Random chances, std::optional<int> calls_until_killed) {
    const auto revoked = revoked_.find(order.job.id);
    if (order.kind == Order::launch) {
        if (revoked == revoked_.end() || order.number > revoked->second)
            launch(order);
        return;
    }
    std::uint64_t &last_revoked = revoked_[order.job.id];
    last_revoked = std::max(last_revoked, order.number);
    end_all_of(order.job.id, chances, calls_until_killed);
    if (order.kind != Order::terminate)
        return;
    over[order.job.start] = now.steady;
    epilogs.push_back({order.job.id, order.job.start});
}

void Node::launch(const Order &order) {
    Step step;
    step.job = order.job;
    step.number = order.step;
    step.since = now.steady;
    Process stepd;
    stepd.is_stepd = true;
    stepd.step = {order.job.id, order.step};
    stepd.start = order.job.start;
    stepd.affinity = machine.all;
    step.stepd = machine.start(stepd);
    machine.sockets[stepd.step] = true;
    if (!step.job.malleable)
        step.stage = Stage::making_cpusets;
    tell([&] { return "    " + name_of(step) + " begins on " + machine.name; });
    steps.push_back(step);
}

// What lost its slurmstepd, slurmd cannot end.
void Node::end_all_of(JobId job, Random chances, std::optional<int> calls_until_killed) {
    for (std::size_t i = steps.size(); i-- > 0;)
        if (steps[i].job.id == job) {
            over[steps[i].job.start] = now.steady;
            end(i);
        }
    for (auto &[pid, process] : machine.processes)
        process.is_left = process.is_left || process.step.job == job;
    if (!answer_to_local(spank_vm::encode(spank_vm::Forget{job}), 1, chances, calls_until_killed))
        machine.disk.erase(job);
    tell([&] { return "    epilog of job " + std::to_string(job) + " on " + machine.name; });
}

void Node::end(std::size_t number) {
    const Step step = steps[number];
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(number));
    if (step.is_lost)
        return;
    std::vector<pid_t> members;
    for (const auto &[pid, process] : machine.processes)
        if (process.session == step.stepd)
            members.push_back(pid);
    for (const pid_t pid : members)
        machine.end(pid);
    // Also if it is by now that of a later step of its number: it goes by its name.
    machine.sockets.erase({step.job.id, step.number});
    if (const auto job = machine.cpusets.find(step.job.id); job != machine.cpusets.end()) {
        job->second.steps.erase(step.number);
        if (job->second.steps.empty())
            machine.cpusets.erase(job);
    }
}

void Node::kill_stepd(Step &step) {
    tell([&] { return "    the slurmstepd of " + name_of(step) + " is killed"; });
    machine.end(step.stepd);
    machine.sockets[{step.job.id, step.number}] = false;
    step.is_lost = true;
}

std::set<JobId> Node::present() const {
    std::set<JobId> jobs;
    for (const Step &step : steps)
        if (!step.is_lost)
            jobs.insert(step.job.id);
    return jobs;
}

void Node::go_on(Step &step, Random chances, std::optional<int> calls_until_killed) {
    const Cores given = step.job.cores.at(index);
    switch (step.stage) {
    case Stage::registering:
        attach(step, chances, calls_until_killed);
        break;
    case Stage::making_cpusets:
        if (machine.makes_cpusets) {
            machine.cpusets[step.job.id].cores = given;
            machine.resize_cpuset({step.job.id, step.number}, given);
        }
        step.stage = Stage::making_tasks;
        break;
    case Stage::making_tasks:
        for (int count = chances.between(1, 2); count > 0; --count) {
            Process task;
            task.parent = step.stepd;
            task.session = step.stepd;
            task.user = step.job.user;
            task.step = {step.job.id, step.number};
            task.start = step.job.start;
            task.affinity = machine.all;
            const pid_t pid = machine.start(task);
            machine.bind(machine.processes.at(pid), given);
        }
        step.stage = step.is_attached ? Stage::telling_launched : Stage::placing;
        break;
    case Stage::telling_launched:
        tell_launched(step, chances, calls_until_killed);
        break;
    case Stage::placing:
        place(step);
        step.stage = Stage::running;
        tell([&] { return "    " + name_of(step) + " runs on " + machine.name; });
        break;
    case Stage::running:
        break;
    }
}

void Node::attach(Step &step, Random chances, std::optional<int> calls_until_killed) {
    spank_vm::Registration registration;
    registration.job_id = step.job.id;
    registration.step_id = step.number;
    registration.user = step.job.user;
    registration.cores = as_list(step.job.cores.at(index));
    registration.ranks = spank_vm::Ranks();
    registration.ranks->cpus_per_rank = static_cast<std::uint32_t>(step.job.cores_per_task);
    if (step.number != SLURM_BATCH_SCRIPT)
        registration.run = step.job.run;
    const auto answer =
        answer_to_local(spank_vm::encode(registration), step.stepd, chances, calls_until_killed);
    if (!answer && now.steady < step.since + patience_with_agent)
        return;
    step.stage = Stage::making_cpusets;
    step.is_unheard = !answer;
    if (!answer)
        return;
    try {
        spank_vm::expect_done(*answer);
        step.is_attached = true;
    } catch (const std::exception &error) {
        tell([&] { return "    " + name_of(step) + " stays unattached: " + error.what(); });
    }
}

void Node::tell_launched(Step &step, Random chances, std::optional<int> calls_until_killed) {
    const auto answer =
        answer_to_local(spank_vm::encode(spank_vm::Launched{step.job.id, step.number}), step.stepd,
                        chances, calls_until_killed);
    if (answer || now.steady >= step.since + 2 * patience_with_agent)
        step.stage = Stage::placing;
}

void Node::place(Step &step) {
    const Here here(machine);
    for (auto &[pid, process] : machine.processes) {
        if (process.is_stepd || process.start != step.job.start || process.step.step != step.number)
            continue;
        try {
            if (step.is_attached)
                place(pid, step.job.id);
        } catch (const std::exception &error) { // an agent was killed half way
            tell([&] { return std::string("    a task is not placed: ") + error.what(); });
        }
        process.has_begun = true;
        process.has_libvmrt = step.is_attached;
    }
}

void Node::place(pid_t task, JobId job) {
    const cpu_set_t allotment =
        spank_vm::mask_of(spank_vm::ControlFile::open_read_only("", job).read().cpus);
    const auto mask = spank_vm::affinity(task);
    if (mask && !spank_vm::is_inside(*mask, allotment))
        spank_vm::set_affinity(task, allotment);
}

std::optional<std::string> Node::answer_to_local(const std::string &request, pid_t peer,
                                                 Random chances,
                                                 std::optional<int> calls_until_killed) {
    std::optional<std::string> result;
    if (!agent_)
        return result;
    with_agent(chances, calls_until_killed, [&] {
        try {
            const spank_vm::LocalRequest decoded = spank_vm::decode_local_request(request);
            if (const auto *registration = std::get_if<spank_vm::Registration>(&decoded))
                agent_->add_step(*registration, agent::find_process(peer).value());
            else if (const auto *launched = std::get_if<spank_vm::Launched>(&decoded))
                agent_->launched(*launched);
            else
                agent_->forget(std::get<spank_vm::Forget>(decoded).job_id);
            result = spank_vm::encode_done();
        } catch (const std::exception &error) {
            result = spank_vm::encode_error(error.what());
        }
    });
    return result;
}

bool Node::refuses(const Job &job) const {
    const bool has_lost_one =
        std::any_of(machine.sockets.begin(), machine.sockets.end(), [&](const auto &socket) {
            return socket.first.job == job.id && !socket.second;
        });
    // A step of a lost one's number has its socket.
    return has_lost_one || std::any_of(steps.begin(), steps.end(), [&](const Step &step) {
               return step.job.id == job.id &&
                      (step.is_lost || !step.is_attached || step.job.start != job.start);
           });
}

bool Node::has_lost_sight_of(const Process &process) const {
    const auto is_of = [&](const Step &step) {
        return step.job.start == process.start && step.number == process.step.step;
    };
    const auto step = std::find_if(steps.begin(), steps.end(), is_of);
    if (step == steps.end())
        return false;
    // A slurmstepd that finds the cpuset of its number takes it as it is, and widens it.
    const bool shares_cpuset =
        machine.makes_cpusets && std::count_if(steps.begin(), steps.end(), is_of) > 1;
    return step->is_unheard || (step->is_lost && !state_of(process.step.job)) || shares_cpuset;
}

std::optional<agent::JobState> Node::state_of(JobId job) const {
    const auto directory = machine.disk.find(job);
    if (directory == machine.disk.end() || !directory->second.files.count("state"))
        return std::nullopt;
    return agent::decode_job_state(directory->second.files.at("state"));
}

// Whatever says or shows it.
std::string Node::allotment_of(JobId job) const {
    std::string text;
    if (const auto directory = machine.disk.find(job); directory != machine.disk.end()) {
        for (const auto &[name, content] : directory->second.files)
            text += name + content;
        if (const vmall_control_block *block = directory->second.block)
            text += std::to_string(block->generation) + std::to_string(block->cpu_count);
    }
    for (const auto &[pid, process] : machine.processes)
        if (process.step.job == job)
            text += " " + std::to_string(pid) + as_text(process.affinity);
    return text;
}

} // namespace vmall::simulation

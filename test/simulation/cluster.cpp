// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each event chooses what it happens to.
#include "cluster.hpp"

#include "clock.hpp"
#include "spank_vm/agent/job_state.hpp"
#include "trace.hpp"

#include <algorithm>
#include <utility>

namespace vmall::simulation {

namespace {

using namespace std::chrono_literals;

constexpr NodeIndex node_count = 2;
constexpr std::uint32_t cores_per_node = 4;
constexpr int one_agent_in = 12; // is killed while it does something

struct Row {
    const char *name;
    int weight;
};
constexpr Row rows[event_count] = {
    {"pass", 30},     {"deliver", 40},        {"order", 25},           {"go on", 50},
    {"time", 15},     {"submit", 15},         {"add step", 8},         {"recheck", 5},
    {"program", 5},   {"slurmctld saves", 8}, {"slurmctld starts", 5}, {"end step", 3},
    {"end job", 4},   {"register node", 12},  {"start slurmctld", 6},  {"start agent", 6},
    {"leftovers", 1}, {"reserve", 2},         {"requeue", 3},          {"suspend", 3},
    {"lose", 5},      {"repeat", 4},          {"kill slurmctld", 4},   {"kill agent", 3},
    {"hang", 2},      {"kill slurmstepd", 2}, {"accounting", 2},       {"set clock", 1},
};

std::optional<int> perhaps_killed(Random &chances) {
    return chances.one_in(one_agent_in) ? std::optional<int>(chances.between(0, 25)) : std::nullopt;
}

} // namespace

const char *name_of(Event event) {
    return rows[static_cast<int>(event)].name;
}

int weight_of(Event event) {
    return rows[static_cast<int>(event)].weight;
}

Cluster::Cluster(bool makes_cpusets, bool holders_respond) : slurm_(node_count, cores_per_node) {
    now = Clock();
    slurm_.holders_respond = holders_respond;
    slurm = &slurm_;
    network = &network_;
    for (NodeIndex index = 0; index < node_count; ++index) {
        nodes_.emplace_back(index, cores_per_node, makes_cpusets);
        slurm_.registered.insert(index);
    }
    controller_ = std::make_unique<Controller>(ledger_file_);
}

Cluster::~Cluster() {
    controller_.reset();
    slurm = nullptr;
    network = nullptr;
}

void Cluster::happen(Event event, Random chances) {
    switch (event) {
    case Event::pass:
        pass(chances);
        break;
    case Event::deliver:
        deliver(chances);
        break;
    case Event::order:
        take_order(chances);
        break;
    case Event::go_on:
        go_on(chances);
        break;
    case Event::time:
        pass_time(std::chrono::milliseconds(chances.one_in(8) ? chances.between(1000, 20000)
                                                              : chances.between(1, 1500)));
        break;
    case Event::submit:
        submit(chances);
        break;
    case Event::add_step:
        if (Job *job = some_job(chances, JobState::running))
            slurm_.add_step(*job);
        break;
    case Event::recheck:
        if (Node &node = some_node(chances);
            !node.is_hung && node.has_agent() && !node.rechecks.empty())
            node.recheck(Random(chances.next()));
        break;
    case Event::program: {
        Node &node = some_node(chances);
        const Here here(node.machine);
        node.machine.let_a_program_act(chances);
        break;
    }
    case Event::slurm_saves:
        if (slurm_.is_up)
            slurm_.save();
        break;
    case Event::slurm_starts:
        start_by_slurm(chances);
        break;
    case Event::end_step: {
        Node &node = some_node(chances);
        if (node.is_hung || node.steps.empty())
            break;
        const std::size_t step = chances.below(node.steps.size());
        if (node.steps[step].stage != Stage::running || node.steps[step].is_lost)
            break;
        if (Job *job = slurm_.find(node.steps[step].job.id);
            slurm_.is_up && job && job->start == node.steps[step].job.start) {
            auto &of_step = job->steps[node.steps[step].number];
            of_step.erase(node.index);
            if (of_step.empty())
                job->steps.erase(node.steps[step].number);
        }
        node.end(step);
        break;
    }
    case Event::end_job:
        end_job(chances, false);
        break;
    case Event::requeue:
        end_job(chances, true);
        break;
    case Event::register_node:
        if (Node &node = some_node(chances);
            slurm_.is_up && !node.is_hung && !slurm_.registered.count(node.index)) {
            tell([&] { return "    " + node.machine.name + " registers"; });
            slurm_.take_registration(node.index, node.present());
        }
        break;
    case Event::start_controller:
        if (!slurm_.is_up)
            start_controller();
        break;
    case Event::start_agent:
        if (Node &node = some_node(chances); !node.has_agent() && !node.is_hung) {
            tell([&] { return "    the agent of " + node.machine.name + " starts"; });
            node.start_agent(Random(chances.next()), perhaps_killed(chances));
        }
        break;
    case Event::leftovers:
        if (Node &node = some_node(chances); node.has_agent() && !node.is_hung && slurm_.is_up)
            node.look_for_leftovers();
        break;
    case Event::reserve:
        slurm_.reserved[static_cast<NodeIndex>(chances.below(node_count))] =
            static_cast<Cores>(chances.below(1U << cores_per_node));
        break;
    case Event::suspend_or_resume:
        suspend_or_resume(chances);
        break;
    case Event::lose:
        if (auto &letters = network_.letters; !letters.empty())
            letters.erase(letters.begin() +
                          static_cast<std::ptrdiff_t>(chances.below(letters.size())));
        break;
    case Event::repeat:
        if (auto &letters = network_.letters; !letters.empty()) {
            Letter again = letters[chances.below(letters.size())];
            letters.push_back(std::move(again));
        }
        break;
    case Event::kill_controller:
        if (controller_)
            kill_controller(chances);
        break;
    case Event::kill_agent:
        if (Node &node = some_node(chances); node.has_agent())
            node.kill_agent();
        break;
    case Event::hang_or_wake: {
        Node &node = some_node(chances);
        node.is_hung = !node.is_hung;
        tell([&] { return "    " + node.machine.name + (node.is_hung ? " hangs" : " goes on"); });
        break;
    }
    case Event::kill_stepd: {
        Node &node = some_node(chances);
        if (!node.steps.empty())
            if (Step &step = node.steps[chances.below(node.steps.size())];
                step.stage == Stage::running && !step.is_lost)
                node.kill_stepd(step);
        break;
    }
    case Event::accounting:
        slurm_.accounting_is_away = chances.one_in(2) && !slurm_.accounting_is_away;
        slurm_.limits_are_reached = chances.one_in(2);
        break;
    case Event::set_clock:
        now.set_to += chances.between(-7200, 7200);
        break;
    }
    hear_of_epilogs();
    std::set<std::string> given_up;
    for (const Node &node : nodes_)
        if (controller_ && controller_->has_given_up(node.machine.name))
            given_up.insert(node.machine.name);
    if (slurm_.is_up)
        oracle_.look(slurm_.records, nodes_, given_up, controller_->roll_is_called());
}

void Cluster::pass(Random &chances) {
    if (!controller_)
        return;
    const auto killed_before =
        chances.one_in(40) ? std::optional<int>(chances.between(0, 7)) : std::nullopt;
    try {
        controller_->pass(Random(chances.next()), killed_before);
    } catch (const ControllerKilled &) {
        kill_controller(chances);
    }
}

void Cluster::deliver(Random &chances) {
    if (network_.letters.empty())
        return;
    const std::size_t letter = chances.below(network_.letters.size());
    deliver(letter, Random(chances.next()), perhaps_killed(chances));
}

void Cluster::deliver(std::size_t number, Random chances, std::optional<int> calls_until_killed) {
    Letter letter = network_.letters[number];
    Node &node = nodes_[letter.exchange->node];
    if (node.is_hung && !letter.is_answer)
        return;
    network_.letters.erase(network_.letters.begin() + static_cast<std::ptrdiff_t>(number));
    if (letter.is_answer) {
        letter.exchange->end({letter.text, ""});
        return;
    }
    // A target that comes after the epilog of its run, to an agent that has not heard of that run.
    if (node.has_agent() && std::exchange(letter.exchange->is_opened, true))
        return;
    const auto over = node.over.find(letter.job.start);
    const bool is_late = over != node.over.end() && letter.sent <= over->second;
    if (is_late && !node.knows_run_of(letter.job))
        return;
    tell([&] { return "    " + node.machine.name + " hears " + letter.text; });
    const bool has_listener = node.has_agent();
    std::optional<std::string> answer;
    if (has_listener)
        answer = node.answer(letter.text, is_late, chances, calls_until_killed);
    if (!answer) {
        if (controller_ && !has_listener)
            controller_->note_refused_call(node.machine.name);
        letter.exchange->end(
            {"", has_listener ? "connection reset" : "connection refused", !has_listener});
        return;
    }
    letter.text = *answer;
    letter.is_answer = true;
    network_.letters.push_back(std::move(letter));
}

void Cluster::take_order(Random &chances) {
    if (slurm_.orders.empty())
        return;
    const auto chosen =
        slurm_.orders.begin() + static_cast<std::ptrdiff_t>(chances.below(slurm_.orders.size()));
    Node &node = nodes_[chosen->node];
    if (!node.can_take(*chosen))
        return;
    const Order order = *chosen;
    slurm_.orders.erase(chosen);
    node.take(order, Random(chances.next()), perhaps_killed(chances));
}

void Cluster::go_on(Random &chances) {
    Node &node = some_node(chances);
    if (node.is_hung)
        return;
    std::vector<Step *> starting;
    for (Step &step : node.steps)
        if (step.stage != Stage::running && !step.is_lost)
            starting.push_back(&step);
    if (!starting.empty())
        node.go_on(*starting[chances.below(starting.size())], Random(chances.next()),
                   perhaps_killed(chances));
}

void Cluster::submit(Random &chances) {
    if (!slurm_.is_up || slurm_.records.jobs.size() >= 4)
        return;
    const auto on_nodes = static_cast<std::uint32_t>(chances.between(1, 2));
    const bool malleable = !chances.one_in(4);
    const auto user = static_cast<uid_t>(chances.between(1001, 1002));
    Job &job = slurm_.submit(user, malleable, on_nodes, chances.one_in(4));
    job.cores_per_task = malleable && chances.one_in(4) ? 2 : 1;
    const int per_node =
        malleable ? chances.between(2, 4 / job.cores_per_task) : chances.between(1, 2);
    job.tasks = per_node * static_cast<int>(on_nodes);
    tell([&] {
        return "    job " + std::to_string(job.id) + (malleable ? ", malleable, " : ", ") +
               std::to_string(job.tasks) + " tasks of " + std::to_string(job.cores_per_task) +
               " cores on " + std::to_string(on_nodes) + " nodes";
    });
}

void Cluster::start_by_slurm(Random &chances) {
    Job *job = some_job(chances, JobState::waiting);
    if (!job || job->malleable)
        return;
    const auto cores = slurm_.room_for(*job, tasks_per_node(*job));
    if (cores.empty())
        return;
    tell([&] { return "    Slurm starts job " + std::to_string(job->id); });
    slurm_.begin(*job, cores);
}

void Cluster::end_job(Random &chances, bool starts_again) {
    Job *job = some_job(chances, JobState::running);
    if (!job)
        return;
    tell([&] { return "    job " + std::to_string(job->id); });
    slurm_.end(*job, starts_again);
}

// Slurm resumes a job whatever has become of the cores that it lent. That is not to be tested.
void Cluster::suspend_or_resume(Random &chances) {
    if (Job *job = some_job(chances, chances.one_in(2) ? JobState::running : JobState::suspended)) {
        tell([&] { return "    job " + std::to_string(job->id); });
        oracle_.note_suspended(job->start);
        job->state = job->state == JobState::running ? JobState::suspended : JobState::running;
    }
}

// Generations go by seconds, and no slurmctld ends and starts again within one.
void Cluster::start_controller() {
    pass_time(1s);
    slurm_.start();
    oracle_.begin_anew(slurm_.records);
    controller_ = std::make_unique<Controller>(ledger_file_);
}

void Cluster::kill_controller(Random &chances) {
    tell([] { return std::string("    slurmctld is killed"); });
    slurm_.kill(chances);
    controller_.reset();
}

void Cluster::hear_of_epilogs() {
    if (!slurm_.is_up)
        return;
    for (Node &node : nodes_)
        if (!node.is_hung)
            for (const auto &[job, start] : std::exchange(node.epilogs, {}))
                slurm_.epilog_is_over(job, start, node.index);
}

void Cluster::pass_time(std::chrono::milliseconds time) {
    now.steady += time;
    network_.note_time();
}

Job *Cluster::some_job(Random &chances, JobState state) {
    if (!slurm_.is_up)
        return nullptr;
    std::vector<Job *> found;
    for (auto &[id, job] : slurm_.records.jobs)
        if (job.state == state)
            found.push_back(&job);
    return found.empty() ? nullptr : found[chances.below(found.size())];
}

void Cluster::come_to_rest() {
    if (!slurm_.is_up)
        happen(Event::start_controller, Random(0));
    slurm_.accounting_is_away = slurm_.limits_are_reached = false;
    for (Node &node : nodes_) {
        node.is_hung = false;
        if (!node.has_agent())
            node.start_agent(Random(0), std::nullopt);
    }
    controller_->wants_nothing = true;
    constexpr int enough = 120; // seconds
    std::optional<std::string> unrest;
    for (int second = 0; second < enough; ++second) {
        tick();
        unrest = what_is_not_at_rest();
        if (!unrest)
            return;
    }
    throw Violation{*unrest};
}

// A second without faults.
void Cluster::tick() {
    for (Node &node : nodes_) {
        if (!slurm_.registered.count(node.index))
            slurm_.take_registration(node.index, node.present());
        while (!node.rechecks.empty())
            node.recheck(Random(0));
    }
    for (const Order &order : std::exchange(slurm_.orders, {}))
        if (nodes_[order.node].can_take(order))
            nodes_[order.node].take(order, Random(0), std::nullopt);
        else
            slurm_.orders.push_back(order);
    for (Node &node : nodes_)
        for (Step &step : node.steps)
            if (!step.is_lost)
                node.go_on(step, Random(0), std::nullopt);
    hear_of_epilogs();
    happen(Event::pass, Random(1));
    for (int way = 0; way < 2; ++way)
        for (std::size_t count = network_.letters.size(); count > 0; --count)
            deliver(0, Random(0), std::nullopt);
    pass_time(1s);
}

std::optional<std::string> Cluster::what_is_not_at_rest() const {
    if (!controller_->roll_is_called())
        return "sched/fjt waits for nodes without end";
    for (const auto &[id, job] : slurm_.records.jobs) {
        if (job.state == JobState::completing)
            return "job " + std::to_string(id) + " does not end";
        const sched::LedgerEntry *entry = controller_->ledger().find(id);
        if (job.state != JobState::running || !job.malleable || !entry || entry->left_alone)
            continue;
        const sched::JobTarget &target = entry->target;
        if (target.is_under_way() || target.state() == sched::TargetState::untold)
            return "a resize of job " + std::to_string(id) + " does not end";
        bool is_refused = false;
        for (const auto &[node, cores] : job.cores)
            is_refused = is_refused || nodes_[node].refuses(job);
        if (is_refused)
            continue;
        if (target.state() != sched::TargetState::settled)
            return "job " + std::to_string(id) + " is never where it belongs";
        for (const auto &[node, cores] : job.cores) {
            const auto state = nodes_[node].state_of(id);
            const bool is_told_with_its_next_step = target.is_only_noted() && job.steps.empty();
            if (state && as_bits(state->allotment.cores) != cores && !is_told_with_its_next_step)
                return "job " + std::to_string(id) + " has " + as_text(cores) + " of n" +
                       std::to_string(node) + " in Slurm, and " +
                       as_text(as_bits(state->allotment.cores)) + " there";
            for (const auto &[pid, process] : nodes_[node].machine.processes)
                if (process.has_begun && !process.is_left && process.start == job.start &&
                    !is_inside(process.affinity, cores))
                    return "a program of job " + std::to_string(id) + " may run on " +
                           as_text(process.affinity) + " of n" + std::to_string(node) +
                           ", and has " + as_text(cores);
        }
    }
    return std::nullopt;
}

} // namespace vmall::simulation

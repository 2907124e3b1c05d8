// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranks go on until their next access to a shared word, each on a stack of its own.
#include "node.hpp"

#include "libvmrt/pause.hpp"
#include "libvmrt/process.hpp"
#include "libvmrt/run_queue.hpp"
#include "libvmrt/shared_word.hpp"
#include "words.hpp"

#include <array>
#include <climits>
#include <cstring>
#include <memory>
#include <sched.h>
#include <type_traits>
#include <ucontext.h>

namespace vmall::interleavings {
namespace {

using runtime::Owner;
using runtime::RunQueue;
using runtime::Share;

constexpr std::size_t stack_bytes = 16 * 1024;
constexpr std::size_t first_frame_bytes = 512; // that makecontext() writes, at most
constexpr std::size_t switch_bytes = 512;      // below the frame of who goes on later, at most
constexpr std::uint64_t start_ns = 10'000'000'000;
constexpr std::uint64_t patience_ends_after_ns = 6'000'000;
// How often all may sleep through their patience for each death, stop, late wakeup, or rank that
// has left before it, which may have been handed a turn at that moment.
constexpr int longest_healing = 2;

enum class Status { ready, asleep, has_left };

struct Rank {
    alignas(64) std::array<unsigned char, stack_bytes> stack;
    ucontext_t context;
    RunQueue queue;
    Status status;
    bool dead, stopped, timed_out;
    bool in_mpi;
    std::uint32_t computes_on; // CPU whose turn it had when it last came out of MPI, plus 1
    std::size_t stack_left;    // bytes that are not in use
    const std::uint32_t *sleeps_on;
    Access access; // what it will do next
    const volatile void *word;
    std::uint64_t value;

    bool may_run() const { return status == Status::ready && !dead && !stopped; }
    bool sleeps() const { return status == Status::asleep && !dead && !stopped; }
    bool is_here() const { return status != Status::has_left && !dead; }
};

// All that a state is, but for the page.
struct World {
    std::uint64_t now;
    int deaths, stops, late_wakeups, departures; // so far
    int patiences;                               // that all slept through
    int preemptions;   // how often a rank went on though the one before could have
    std::uint32_t ran; // the rank that went on last
    std::array<Rank, most_ranks> ranks;
};
static_assert(std::is_trivially_copyable_v<World>);

World world;
vmall_runtime_page page;
std::array<Share, most_ranks> shares;
const Scenario *scenario;
std::string found_fault;
ucontext_t explorer;
Rank *running;

std::uint32_t number_of(const Rank &rank) {
    return static_cast<std::uint32_t>(&rank - world.ranks.data());
}

Owner owner_of(std::uint32_t rank) {
    return Owner{rank + 1} << 32 | 1;
}

// Null: nobody's.
const Rank *rank_of(Owner owner) {
    return owner == 0 ? nullptr : &world.ranks.at((owner >> 32) - 1);
}

bool undisturbed() {
    return world.deaths + world.stops + world.late_wakeups + world.patiences == 0;
}

std::string name_of(const Rank &rank) {
    return "rank " + std::to_string(number_of(rank));
}

void fail(const std::string &fault) {
    if (found_fault.empty())
        found_fault = fault;
}

// Nobody sends anything, and slots change hands only when their rank has died.
bool is_constant(const volatile void *word) {
    for (std::uint32_t rank = 0; rank < scenario->ranks; ++rank) {
        const vmall_runtime_slot &slot = page.slots[rank];
        if (word == &slot.arrived || word == &slot.news ||
            (word == &slot.owner && scenario->deaths == 0))
            return true;
    }
    return false;
}

__attribute__((noinline)) void let_others_run() {
    const auto *frame = static_cast<unsigned char *>(__builtin_frame_address(0));
    const auto used = static_cast<std::size_t>(frame - running->stack.data());
    running->stack_left = used > switch_bytes ? used - switch_bytes : 0;
    swapcontext(&running->context, &explorer);
}

// CPU whose turn the page says that the rank has, plus 1.
std::uint32_t turn_of(std::uint32_t rank) {
    const std::uint32_t cpu_plus_1 = page.slots[rank].turn_on_plus_1;
    return cpu_plus_1 != 0 && page.queues[cpu_plus_1 - 1].token == rank + 1 ? cpu_plus_1 : 0;
}

void note_what_it_has(Rank &self) {
    self.computes_on = turn_of(number_of(self));
    const bool is_on_its_way = page.slots[number_of(self)].turn_on_plus_1 != 0;
    if (self.computes_on == 0 && !is_on_its_way && undisturbed())
        fail(name_of(self) + " goes on without a turn");
    for (const Rank &other : world.ranks)
        if (&other != &self && other.computes_on != 0 && other.computes_on == self.computes_on)
            fail(name_of(self) + " and " + name_of(other) + " have the same turn");
}

void enter_mpi(Rank &self) {
    self.word = nullptr;
    let_others_run();
    self.computes_on = 0;
    self.in_mpi = true;
}

void poll(Rank &self) {
    enter_mpi(self);
    self.queue.give_way(false);
    self.in_mpi = false;
    note_what_it_has(self);
}

void leave(Rank &self) {
    enter_mpi(self);
    ++world.departures;
    self.queue.leave();
    self.in_mpi = false;
}

void live(int number) {
    const auto rank = static_cast<std::uint32_t>(number);
    Rank &self = world.ranks.at(rank);
    for (const char *step = scenario->program; *step != '\0'; ++step)
        switch (*step) {
        case 'p':
            poll(self);
            break;
        case 'l':
            leave(self);
            self.queue.join(shares.at(rank));
            break;
        }
    leave(self);
    self.status = Status::has_left;
    let_others_run();
}

Share share_of(std::uint32_t rank) {
    Share share{};
    share.slot = rank;
    share.rules = {VMALL_COSCHEDULING_SELF, VMALL_NEXT_ROUND_ROBIN, VMALL_QUEUES_LOCAL};
    share.way = runtime::way_of(share.rules.coscheduling);
    share.folded = true; // but not reachable: nobody is bound anywhere
    share.room = {1, 1};
    share.member_count = scenario->ranks;
    for (std::uint32_t i = 0; i < scenario->ranks; ++i)
        share.members[i] = {i, {i, scenario->ranks}};
    runtime::place(share.members, share.member_count, rank, share.room, share.place);
    return share;
}

void begin(std::uint32_t number) {
    Rank &rank = world.ranks.at(number);
    page.slots[number].owner = owner_of(number);
    shares.at(number) = share_of(number);
    rank.queue.attach(&page, number, owner_of(number));
    rank.queue.join(shares.at(number));
    getcontext(&rank.context);
    rank.context.uc_stack.ss_sp = rank.stack.data();
    rank.context.uc_stack.ss_size = rank.stack.size();
    makecontext(&rank.context, reinterpret_cast<void (*)()>(live), 1, static_cast<int>(number));
    rank.stack_left = stack_bytes - first_frame_bytes;
}

bool preempts(std::uint32_t rank) {
    return scenario->preemptions != INT_MAX && rank != world.ran &&
           world.ranks.at(world.ran).may_run();
}

// Who has been claimed is about to be handed the turn, if somebody is there to do it.
void look_for_forgotten_claims() {
    for (const Rank &rank : world.ranks)
        if (rank.in_mpi && rank.status != Status::asleep)
            return;
    for (std::uint32_t rank = 0; rank < scenario->ranks; ++rank)
        if (page.slots[rank].turn_on_plus_1 != 0 && turn_of(rank) == 0)
            fail("rank " + std::to_string(rank) + " has a claim that nobody will make good");
}

void go_on(Rank &rank) {
    world.preemptions += preempts(number_of(rank));
    world.ran = number_of(rank);
    running = &rank;
    swapcontext(&explorer, &rank.context);
    running = nullptr;
    if (undisturbed() && world.departures == 0)
        look_for_forgotten_claims();
}

void end_patience(Rank &rank) {
    rank.timed_out = true;
    rank.status = Status::ready;
}

// Nobody alive has anything to do before its patience ends.
void end_everybodys_patience() {
    world.now += patience_ends_after_ns;
    const int disturbances = world.deaths + world.stops + world.late_wakeups + world.departures;
    if (++world.patiences > longest_healing * disturbances)
        fail("all sleep, and nobody will wake them");
    for (Rank &rank : world.ranks)
        if (rank.sleeps())
            end_patience(rank);
}

template <typename Object>
void append(std::string &bytes, const Object &object, std::size_t from, std::size_t size) {
    bytes.append(reinterpret_cast<const char *>(&object) + from, size);
}

template <typename Object>
void take(const char *&bytes, Object &object, std::size_t from, std::size_t size) {
    std::memcpy(reinterpret_cast<char *>(&object) + from, bytes, size);
    bytes += size;
}

} // namespace

void before(Access access, const volatile void *word, std::uint64_t value) {
    if (running == nullptr || is_constant(word))
        return;
    running->access = access;
    running->word = word;
    running->value = value;
    let_others_run();
}

Node::Node(const Scenario &given) : scenario_(given) {
    static_assert(std::is_trivially_destructible_v<Rank>);
    std::memset(static_cast<void *>(&world), 0, sizeof world);
    std::memset(&page, 0, sizeof page);
    world.now = start_ns;
    scenario = &scenario_;
    found_fault.clear();
    for (std::uint32_t rank = 0; rank < scenario->ranks; ++rank) {
        new (&world.ranks.at(rank).queue) RunQueue();
        begin(rank);
    }
    for (std::uint32_t rank = scenario->ranks; rank < most_ranks; ++rank)
        world.ranks.at(rank).status = Status::has_left;
}

std::vector<Move> Node::possible_moves() const {
    std::vector<Move> moves;
    bool somebody_sleeps = false;
    for (std::uint32_t i = 0; i < scenario_.ranks; ++i) {
        const Rank &rank = world.ranks.at(i);
        if (rank.may_run() && (world.preemptions < scenario_.preemptions || !preempts(i)))
            moves.push_back({Happening::step, i});
        somebody_sleeps |= rank.sleeps();
    }
    if (moves.empty() && somebody_sleeps) // who ran last may always go on
        moves.push_back({Happening::patience_ends, 0});
    for (std::uint32_t i = 0; i < scenario_.ranks; ++i) {
        const Rank &rank = world.ranks.at(i);
        if (rank.stopped && !rank.dead)
            moves.push_back({Happening::resumption, i});
        if (!rank.is_here() || rank.stopped)
            continue;
        if (rank.sleeps() && world.late_wakeups < scenario_.late_wakeups)
            moves.push_back({Happening::late_wakeup, i});
        if (world.deaths < scenario_.deaths)
            moves.push_back({Happening::death, i});
        if (world.stops < scenario_.stops)
            moves.push_back({Happening::stop, i});
    }
    return moves;
}

void Node::make(const Move &move) {
    Rank &rank = world.ranks.at(move.rank);
    switch (move.happening) {
    case Happening::step:
        go_on(rank);
        break;
    case Happening::patience_ends:
        end_everybodys_patience();
        break;
    case Happening::late_wakeup:
        ++world.late_wakeups;
        world.now += patience_ends_after_ns;
        end_patience(rank);
        break;
    case Happening::death:
        ++world.deaths;
        rank.dead = true;
        rank.computes_on = 0;
        break;
    case Happening::stop:
        ++world.stops;
        rank.stopped = true;
        rank.computes_on = 0; // it may lose the turn, and will hear of it when it polls
        break;
    case Happening::resumption:
        rank.stopped = false;
        break;
    }
}

std::string Node::describe(const Move &move) const {
    const Rank &rank = world.ranks.at(move.rank);
    switch (move.happening) {
    case Happening::step:
        return name_of(rank) + (rank.word == nullptr || rank.sleeps_on != nullptr
                                    ? " goes on"
                                    : ": " + to_text(rank.access, page, rank.word, rank.value));
    case Happening::patience_ends:
        return "all sleep until their patience ends";
    case Happening::late_wakeup:
        return name_of(rank) + " wakes up since its patience ends";
    case Happening::death:
        return name_of(rank) + " is killed";
    case Happening::stop:
        return name_of(rank) + " is stopped";
    case Happening::resumption:
        return name_of(rank) + " is resumed";
    }
    return {};
}

const std::string &Node::fault() const {
    return found_fault;
}

bool Node::is_over() const {
    for (const Rank &rank : world.ranks)
        if (rank.is_here())
            return false;
    return true;
}

// Both go through the same pieces.
void Node::copy_state(std::string &bytes) const {
    bytes.clear();
    append(bytes, world, 0, offsetof(World, ranks));
    append(bytes, page, 0, offsetof(vmall_runtime_page, slots));
    append(bytes, page.queues[0], 0, sizeof page.queues[0]);
    for (std::uint32_t i = 0; i < scenario_.ranks; ++i) {
        const Rank &rank = world.ranks.at(i);
        append(bytes, rank, stack_bytes, sizeof rank - stack_bytes);
        append(bytes, rank, rank.stack_left, stack_bytes - rank.stack_left);
        append(bytes, page.slots[i], 0, sizeof page.slots[i]);
    }
}

void Node::restore(const std::string &state) {
    const char *bytes = state.data();
    take(bytes, world, 0, offsetof(World, ranks));
    take(bytes, page, 0, offsetof(vmall_runtime_page, slots));
    take(bytes, page.queues[0], 0, sizeof page.queues[0]);
    for (std::uint32_t i = 0; i < scenario_.ranks; ++i) {
        Rank &rank = world.ranks.at(i);
        take(bytes, rank, stack_bytes, sizeof rank - stack_bytes);
        take(bytes, rank, rank.stack_left, stack_bytes - rank.stack_left);
        // What others left there would make states differ that do not.
        std::memset(rank.stack.data(), 0, rank.stack_left);
        take(bytes, page.slots[i], 0, sizeof page.slots[i]);
    }
}

} // namespace vmall::interleavings

using namespace vmall::interleavings;

// Instead of the C library's: nobody is bound to a CPU here.
extern "C" int sched_getcpu() noexcept {
    return 0;
}

// What src/libvmrt asks of the machine.
namespace vmall::runtime {

bool futex_sleep(const std::uint32_t &word, std::uint32_t value, std::uint64_t) {
    interleavings::before(Access::load, &word);
    if (word != value)
        return true;
    running->timed_out = false;
    running->sleeps_on = &word;
    running->status = Status::asleep;
    let_others_run();
    running->sleeps_on = nullptr;
    const bool in_time = !running->timed_out;
    running->timed_out = false;
    return in_time;
}

void futex_sleep_on_two(const std::uint32_t &first, std::uint32_t first_value,
                        const std::uint32_t &, std::uint32_t, std::uint64_t nanoseconds) {
    futex_sleep(first, first_value, nanoseconds);
}

void futex_wake_all(std::uint32_t &word) {
    if (!scenario->futexes_work)
        return;
    for (Rank &rank : world.ranks)
        if (rank.status == Status::asleep && rank.sleeps_on == &word)
            rank.status = Status::ready;
}

// A rank alone sleeps on its word.
void futex_wake_one(std::uint32_t &word) {
    interleavings::before(Access::load, &word);
    futex_wake_all(word);
}

std::uint64_t monotonic_ns() {
    return world.now;
}

std::uint64_t wall_clock_ns() {
    return pause_period_ns / 2;
}

std::uint64_t cpu_time_ns() {
    return 0;
}

bool is_gone(Owner owner) {
    const Rank *rank = rank_of(owner);
    return rank == nullptr || rank->dead;
}

Activity activity_of(Owner owner) {
    if (is_gone(owner))
        return Activity::gone;
    const Rank &rank = *rank_of(owner);
    return rank.stopped || rank.status == Status::asleep ? Activity::asleep : Activity::runnable;
}

} // namespace vmall::runtime

// SPDX-License-Identifier: GPL-2.0-or-later
//
// A rank on a page that other ranks write anything into, at any moment, while the agent writes one
// control block after the other. The input is a list of what happens, a byte each with what it
// needs behind it.
#include "kernel_stand_in.hpp"

#include "layout/control_block.h"
#include "layout/runtime_page.h"
#include "libvmrt/messages.hpp"
#include "libvmrt/rank.hpp"
#include "target.hpp"

#include <array>
#include <cstring>
#include <memory>

namespace vmall::fuzz {

namespace {

using runtime::messages;
using runtime::this_rank;

constexpr std::uint32_t few = 8; // of slots and CPUs: most of what happens happens among them
// 5 ms of patience, what is left of a pause, and a rest.
constexpr std::uint64_t longest_sleep_ns = 7'000'000;

vmall_runtime_page page;
vmall_control_block control;

// What is left of the input; zeros when nothing is.
class Script {
  public:
    explicit Script(const std::string &text) : text_(text) {}
    bool is_over() const { return at_ >= text_.size(); }
    std::uint32_t byte() { return is_over() ? 0 : static_cast<unsigned char>(text_[at_++]); }
    // A small number, or any.
    std::uint32_t word() {
        const std::uint32_t first = byte();
        if (first < 240)
            return first;
        std::uint32_t number = 0;
        for (int i = 0; i < 4; ++i)
            number = number << 8 | byte();
        return first % 2 == 0 ? number : number % (VMALL_RUNTIME_SLOTS + 2);
    }
    // Below `count`, most often below `few`.
    std::uint32_t index(std::uint32_t count) {
        const std::uint32_t number = word();
        return number < 240 ? number % few : number % count;
    }

  private:
    const std::string &text_;
    std::size_t at_ = 0;
};

template <typename Words>
void write_word(Words &words, std::uint32_t number, std::uint32_t value) {
    auto *first = reinterpret_cast<std::uint32_t *>(&words);
    runtime::store(first[number % (sizeof words / sizeof *first)], value);
}

// What a hostile rank does.
void write_page(Script &script) {
    const std::uint32_t what = script.byte(), value = script.word();
    if (what < 192)
        write_word(page.slots[script.index(VMALL_RUNTIME_SLOTS)], what, value);
    else if (what < 240)
        write_word(page.queues[script.index(VMALL_RUNTIME_CPUS)], what % 3, value);
    else
        runtime::store(what % 2 == 0 ? page.membership : page.run_queues, value);
}

// What the agent does; a byte at random makes it one that makes no sense.
void write_control(Script &script) {
    control.generation += 1;
    control.flags = script.byte() % 2;
    control.mpl = control.core_count = control.node_count = 1;
    control.cpu_count = 1 + script.index(VMALL_CONTROL_MAX_CPUS);
    const std::uint32_t first = script.byte() % few;
    for (std::uint32_t i = 0; i < VMALL_CONTROL_MAX_CPUS; ++i)
        control.cpus[i] = static_cast<std::uint16_t>((first + i) % VMALL_RUNTIME_CPUS);
    control.cpus_per_rank = 1 + script.byte() % 4;
    const std::uint32_t rules = script.byte();
    control.coscheduling = rules % 2;
    control.next_rank = rules / 4 % 3;
    control.run_queues = rules / 16 % 3;
    if (script.byte() == 255)
        write_word(control, script.byte(), script.word());
    control.sequence += 2 + script.byte() % 16 / 15; // odd: the agent died over it
}

void follow() {
    try {
        kernel.thread.body(kernel.thread.argument);
    } catch (const ThreadSleeps &) {
    }
}

const void *endpoint(std::uint32_t number) {
    static const std::array<char, few> endpoints = {};
    return &endpoints[number % few];
}

const void *address(std::uint32_t number) {
    static std::array<char, runtime::Messages::address_bytes> bytes;
    bytes.fill(static_cast<char>(number % few));
    return bytes.data();
}

void send_or_take(Script &script) {
    const std::uint32_t what = script.byte();
    const std::uint64_t tag = std::uint64_t{script.word()} << 32;
    switch (what % 5) {
    case 0:
        return messages.sends(endpoint(what / 5), tag);
    case 1:
        return messages.signals(endpoint(what / 5));
    case 2:
        return messages.expects(tag, what < 128 ? ~std::uint64_t{0} : 0);
    case 3:
        return messages.took(tag, what < 128 ? 1 : 1 << 20);
    default:
        return messages.connected(endpoint(what / 5), address(what));
    }
}

void poll(Script &script) {
    kernel.sleep = [&script] {
        write_page(script);
        return script.byte() % 2 == 0;
    };
    const std::uint64_t before = kernel.slept;
    this_rank.idle(VMALL_ENGINE_UCX);
    expect(kernel.slept - before <= longest_sleep_ns, "a rank sleeps for 7 ms at most");
}

void go_on(Script &script) {
    switch (script.byte() % 8) {
    case 0:
    case 1:
        return write_page(script);
    case 2:
        write_control(script);
        return follow();
    case 3:
        return follow();
    case 4:
        return send_or_take(script);
    case 5:
        kernel.now += std::uint64_t{script.word()} << 16;
        return this_rank.received(VMALL_ENGINE_UCX);
    default:
        return poll(script);
    }
}

// As a process that has just started: all is in static storage.
void begin() {
    static const auto fresh_rank = std::make_unique<runtime::Rank>();
    static const auto fresh_messages = [] {
        messages.listens_at(address(0));
        for (std::uint32_t i = 0; i < few; ++i)
            messages.connected(endpoint(i), address(i));
        return std::make_unique<runtime::Messages>(messages);
    }();
    setenv(VMALL_ENV_CONTROL, "control", 1);
    std::memset(&page, 0, sizeof page);
    control = {};
    control.magic = VMALL_CONTROL_MAGIC;
    control.version = VMALL_CONTROL_VERSION;
    this_rank = *fresh_rank;
    messages = *fresh_messages;
    for (std::uint32_t i = 0; i < few; ++i)
        messages.connected(endpoint(i), address(i));
    kernel = {};
    kernel.control = &control;
    kernel.page = &page;
}

} // namespace

void decode(const std::string &input) {
    begin();
    Script script(input);
    write_control(script);
    for (std::uint32_t i = script.byte() % 4; i > 0; --i)
        write_page(script);
    this_rank.idle(VMALL_ENGINE_UCX);
    if (kernel.thread.body == nullptr)
        return; // it stayed out
    follow();
    while (!script.is_over())
        go_on(script);
    this_rank.leave();
}

} // namespace vmall::fuzz

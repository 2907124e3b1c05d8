// SPDX-License-Identifier: GPL-2.0-or-later
//
// A rank's threads in one process: the one in MPI, another one that polls and sends, too, and the
// follower. It is for the thread sanitizer (contrib/check-threads), which cannot be preloaded into
// programs. What is done through the stage is done by others: it has the files mapped elsewhere.
#include "libvmrt/rank.hpp"

#include "libvmrt/messages.hpp"
#include "libvmrt/process.hpp"
#include "libvmrt/shared_word.hpp"
#include "run.hpp"
#include "stage.hpp"

#include <atomic>
#include <thread>

using namespace vmall::test;
using vmall::runtime::load;
using vmall::runtime::messages;
using vmall::runtime::store;
using vmall::runtime::this_rank;

namespace {

constexpr char address[vmall::runtime::Messages::address_bytes] = {};
constexpr std::uint64_t tag = std::uint64_t{1} << 32;

void attach_to(const Stage &stage) {
    setenv(VMALL_ENV_CONTROL, stage.control_path().c_str(), 1);
    messages.listens_at(address);
    messages.connected(&stage, address);
}

void poll(const Stage &stage) {
    messages.sends(&stage, tag);
    messages.expects(tag, ~std::uint64_t{0});
    this_rank.idle(VMALL_ENGINE_UCX);
    messages.took(tag, 1 << 20);
}

// Ranks that wait for their turn, so that this one is folded and gives turns away.
void put_others(Stage &stage, std::uint16_t cpu) {
    for (std::uint32_t i = 1; i < 4; ++i) {
        vmall_runtime_slot &slot = stage.runtime().slots[i];
        slot.owner = vmall::runtime::this_process();
        slot.local_rank = i;
        slot.local_size = 4;
        store(slot.state, std::uint32_t{VMALL_RUNTIME_WAITING});
        store(slot.cpu_plus_1, cpu + 1u);
        store(slot.turn_on_plus_1, 0u); // whatever turn it got is over
    }
}

const vmall_run_queues queues[] = {VMALL_QUEUES_LOCAL, VMALL_QUEUES_DETECTED};

START_TEST(threads_poll_and_send_while_the_allotment_changes) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    stage.control().run_queues = queues[_i];
    put_others(stage, cpus[0]);
    attach_to(stage);
    std::atomic<bool> done{false};
    std::thread other([&] {
        while (!done)
            poll(stage);
    });
    const vmall_runtime_slot &slot = stage.runtime().slots[0];
    for (int change = 0; change < 20; ++change) {
        const std::uint16_t cpu = cpus[change % 2];
        stage.allot({cpu});
        for (const std::uint64_t asleep = load(slot.asleep_ns);
             load(slot.asleep_ns) == asleep || load(slot.cpu_plus_1) != cpu + 1u;) {
            put_others(stage, cpu);
            this_rank.received(VMALL_ENGINE_UCX);
            poll(stage);
        }
    }
    done = true;
    other.join();
    this_rank.leave();
    ck_assert(this_rank.seat().page == nullptr);
    ck_assert_uint_gt(slot.sent, 0);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("threads");
    tcase_add_loop_test(tests, threads_poll_and_send_while_the_allotment_changes, 0,
                        static_cast<int>(std::size(queues)));
    return run("a rank's threads", tests);
}

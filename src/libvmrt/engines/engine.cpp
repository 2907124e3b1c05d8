// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is the same for all engines.
#include "libvmrt/engines/engine.hpp"

#include "libvmrt/rank.hpp"

namespace vmall::runtime {
namespace {

__attribute__((destructor)) void leave_at_exit() {
    this_rank.leave();
}

} // namespace

bool is_part_of_a_poll(const Engine &engine) {
    for (const Engine *other : engines)
        if (other != &engine && other->is_polling != nullptr && other->is_polling())
            return true;
    return false;
}

} // namespace vmall::runtime

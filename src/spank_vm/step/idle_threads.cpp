// SPDX-License-Identifier: GPL-2.0-or-later
//
// One variable is OpenMP's own; GCC's and LLVM's runtimes have one each that comes before it.
#include "spank_vm/step/idle_threads.hpp"

#include "layout/idle_threads.h"
#include "spank_vm/step/environment.hpp"
#include "spank_vm/step/given.hpp"

#include <strings.h>

namespace vmall::spank_vm {

namespace {

struct Variable {
    const char *name, *value;
};

constexpr Variable sleeping[] = {{VMALL_ENV_WAIT_POLICY, "passive"},
                                 {VMALL_ENV_GCC_SPINS, VMALL_GCC_SPINS},
                                 {VMALL_ENV_LLVM_TIME, "0"}};

} // namespace

void let_idle_threads_sleep(spank_t spank) {
    if (strcasecmp(variable(spank, VMALL_ENV_WAIT_POLICY).c_str(), "active") == 0)
        return;
    for (const Variable &wanted : sleeping) {
        if (!variable(spank, wanted.name).empty())
            continue;
        set_variable(spank, wanted.name, wanted.value);
        note_given(spank, wanted.name, wanted.value);
    }
}

} // namespace vmall::spank_vm

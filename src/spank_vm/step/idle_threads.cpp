// SPDX-License-Identifier: GPL-2.0-or-later
//
// One variable is OpenMP's own; GCC's and LLVM's runtimes have one each that comes before it.
#include "spank_vm/step/idle_threads.hpp"

#include "layout/idle_threads.h"
#include "spank_vm/step/environment.hpp"

#include <strings.h>

namespace vmall::spank_vm {

namespace {

struct Variable {
    const char *name, *value;
};

constexpr Variable sleeping[] = {{VMALL_ENV_WAIT_POLICY, "passive"},
                                 {VMALL_ENV_GCC_SPINS, VMALL_GCC_SPINS},
                                 {VMALL_ENV_LLVM_TIME, "0"}};

// What the job's script has been given would overrule what it says itself.
void take_back(spank_t spank) {
    for (const Variable &given : sleeping)
        if (variable(spank, given.name) == given.value)
            spank_unsetenv(spank, given.name);
}

} // namespace

void let_idle_threads_sleep(spank_t spank) {
    if (strcasecmp(variable(spank, VMALL_ENV_WAIT_POLICY).c_str(), "active") == 0) {
        take_back(spank);
        return;
    }
    for (const Variable &wanted : sleeping)
        if (variable(spank, wanted.name).empty())
            set_variable(spank, wanted.name, wanted.value);
}

} // namespace vmall::spank_vm

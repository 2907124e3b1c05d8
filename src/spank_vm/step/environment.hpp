// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Slurm tells slurmstepd of its step, and the environment of the step's tasks.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

#include <stdexcept>
#include <string>

namespace vmall::spank_vm {

// Throws std::runtime_error if Slurm does not tell; `name` is for people.
template <typename Value>
Value item(spank_t spank, spank_item_t which, const char *name) {
    Value value = {};
    const spank_err_t result = spank_get_item(spank, which, &value);
    if (result != ESPANK_SUCCESS)
        throw std::runtime_error(std::string("Slurm does not tell ") + name + ": " +
                                 spank_strerror(result));
    return value;
}

// The tasks' own value of a variable, of any length; empty if there is none.
std::string variable(spank_t spank, const std::string &name);

// Throws std::runtime_error.
void set_variable(spank_t spank, const char *name, const std::string &value);

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
//
// SPANK's own function to read a variable has to be told how long it may be.
#include "spank_vm/step/environment.hpp"

#include <cstring>

namespace vmall::spank_vm {

std::string variable(spank_t spank, const std::string &name) {
    char **environment = item<char **>(spank, S_JOB_ENV, "the environment");
    for (; environment && *environment; ++environment)
        if (std::strncmp(*environment, (name + "=").c_str(), name.size() + 1) == 0)
            return *environment + name.size() + 1;
    return "";
}

void set_variable(spank_t spank, const char *name, const std::string &value) {
    const spank_err_t result = spank_setenv(spank, name, value.c_str(), 1);
    if (result != ESPANK_SUCCESS)
        throw std::runtime_error(std::string("cannot set ") + name + ": " + spank_strerror(result));
}

} // namespace vmall::spank_vm

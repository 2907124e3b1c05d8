// SPDX-License-Identifier: GPL-2.0-or-later
//
// NAME=VALUE, separated by spaces.
#include "spank_vm/step/given.hpp"

#include "common/split.hpp"
#include "spank_vm/step/environment.hpp"
#include "spank_vm/step/preload.hpp"

#include <cstdlib>

namespace vmall::spank_vm {

namespace {

constexpr const char *env_given = "VMALL_GIVEN";

void take_back(const std::string &name, const std::string &value) {
    const char *now = getenv(name.c_str());
    if (!now)
        return;
    const std::string rest = without_path(now, value);
    if (rest.empty())
        unsetenv(name.c_str());
    else
        setenv(name.c_str(), rest.c_str(), 1);
}

} // namespace

void note_given(spank_t spank, const char *name, const std::string &value) {
    const std::string before = variable(spank, env_given);
    set_variable(spank, env_given, before + (before.empty() ? "" : " ") + name + "=" + value);
}

void forget_given(spank_t spank) {
    spank_unsetenv(spank, env_given);
}

void take_back_given() {
    const char *noted = getenv(env_given);
    if (!noted)
        return;
    const std::string all = noted; // unsetenv() may move what getenv() returned
    for (const std::string_view given : common::split(all, ' ')) {
        const auto equals = given.find('=');
        if (equals != std::string_view::npos && equals > 0)
            take_back(std::string(given.substr(0, equals)), std::string(given.substr(equals + 1)));
    }
    unsetenv(env_given);
}

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stand-in for Slurm's side of SPANK, for one file of a program.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

#include <cstdarg>
#include <cstdio>
#include <map>
#include <string>

namespace vmall::test {

// What Slurm knows and was told.
struct Slurm {
    spank_context_t context = S_CTX_ALLOCATOR;
    std::map<std::string, spank_option> options;
    std::map<std::string, std::string> job_control; // arrives at slurmctld
    std::map<std::string, std::string> script;      // environment of the step
    std::string errors;
    bool refuses_environment = false;
};
inline Slurm slurm;

inline spank_err_t answer(int code) {
    return static_cast<spank_err_t>(code);
}

} // namespace vmall::test

extern "C" {

spank_context_t spank_context() {
    return vmall::test::slurm.context;
}

int spank_remote(spank_t) {
    return vmall::test::slurm.context == S_CTX_REMOTE;
}

const char *spank_strerror(spank_err_t) {
    return "no";
}

spank_err_t spank_option_register(spank_t, spank_option *option) {
    vmall::test::slurm.options.emplace(option->name, *option);
    return vmall::test::answer(ESPANK_SUCCESS);
}

spank_err_t spank_job_control_setenv(spank_t, const char *name, const char *value, int) {
    if (vmall::test::slurm.refuses_environment)
        return vmall::test::answer(ESPANK_BAD_ARG);
    vmall::test::slurm.job_control[name] = value;
    return vmall::test::answer(ESPANK_SUCCESS);
}

spank_err_t spank_getenv(spank_t, const char *name, char *value, int size) {
    const auto found = vmall::test::slurm.script.find(name);
    if (found == vmall::test::slurm.script.end())
        return vmall::test::answer(ESPANK_ENV_NOEXIST);
    const int needed = snprintf(value, static_cast<std::size_t>(size), "%s", found->second.c_str());
    return vmall::test::answer(needed < size ? ESPANK_SUCCESS : ESPANK_NOSPACE);
}

void slurm_error(const char *format, ...) {
    char line[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    vmall::test::slurm.errors += std::string(line) + "\n";
}
}

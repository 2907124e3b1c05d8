// SPDX-License-Identifier: GPL-2.0-or-later
//
// One line per decision into slurmctld's log.
#pragma once

#include "slurmglue/controller.h"

#include <string>

namespace vmall::sched {

inline void log_error(const std::string &line) {
    vmall_log_error(line.c_str());
}
inline void log_info(const std::string &line) {
    vmall_log_info(line.c_str());
}
inline void log_verbose(const std::string &line) {
    vmall_log_verbose(line.c_str());
}
inline void log_debug(const std::string &line) {
    vmall_log_debug(line.c_str());
}

inline std::string job_name(unsigned id) {
    return "JobId=" + std::to_string(id);
}

} // namespace vmall::sched

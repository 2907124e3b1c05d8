// SPDX-License-Identifier: GPL-2.0-or-later
//
// The class of a job, and its name wherever one is read or written: options, vmall.conf, the
// environment of a job, messages, logs, files of the simulator.
#pragma once

#include <optional>
#include <string_view>

namespace vmall::common {

enum class JobClass { short_job, long_job };

inline constexpr JobClass job_classes[] = {JobClass::short_job, JobClass::long_job};

constexpr const char *name_of(JobClass job_class) {
    return job_class == JobClass::short_job ? "short" : "long";
}

// The class with exactly this name.
inline std::optional<JobClass> job_class_named(std::string_view name) {
    for (const JobClass job_class : job_classes)
        if (name == name_of(job_class))
            return job_class;
    return std::nullopt;
}

} // namespace vmall::common

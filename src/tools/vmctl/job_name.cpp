// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/vmctl/job_name.hpp"

#include "slurmglue/load_job.h"
#include "wire/messages.hpp"

#include <cerrno>
#include <charconv>
#include <memory>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace vmall::vmctl {

namespace {

using Records = std::unique_ptr<job_info_msg_t, decltype(&slurm_free_job_info_msg)>;

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value <= wire::highest_id ? std::optional(value) : std::nullopt;
}

std::string text_of(const JobName &name) {
    return std::to_string(name.job) + "_" + std::to_string(*name.task);
}

Records load_records(const JobName &name) {
    job_info_msg_t *records = nullptr;
    if (vmall_load_job(&records, name.job, SHOW_ALL) != SLURM_SUCCESS)
        throw std::runtime_error("slurmctld does not say which number job " + text_of(name) +
                                 " has: " + slurm_strerror(errno));
    return {records, slurm_free_job_info_msg};
}

} // namespace

JobName parse_job_name(const std::string &text) {
    const std::string_view all = text;
    const std::size_t underscore = all.find('_');
    const auto job = number(all.substr(0, underscore));
    JobName name{job.value_or(0), std::nullopt};
    if (underscore != std::string_view::npos)
        name.task = number(all.substr(underscore + 1));
    if (name.job == 0 || name.task.has_value() != (underscore != std::string_view::npos))
        throw std::invalid_argument(text + " is no job such as 17, or 17_3 of an array");
    return name;
}

std::uint32_t number_of(const JobName &name) {
    if (!name.task)
        return name.job;
    const Records records = load_records(name);
    for (std::uint32_t i = 0; i < records->record_count; ++i)
        if (records->job_array[i].array_task_id == *name.task)
            return records->job_array[i].job_id;
    throw std::runtime_error("job " + text_of(name) + " has no number of its own: ask for job " +
                             std::to_string(name.job) +
                             " if it waits, else for the number that sacct -X -j " + text_of(name) +
                             " -o JobIDRaw shows");
}

} // namespace vmall::vmctl

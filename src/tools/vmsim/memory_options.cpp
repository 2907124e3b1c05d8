// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much memory jobs need, and nodes have.
#include "tools/vmsim/memory_options.hpp"

#include "config/number.hpp"
#include "sim/trace/memory_size.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <errno.h>
#include <ostream>
#include <stdexcept>

namespace vmall::vmsim {

namespace {

// Of its cores' memory.
std::optional<std::int64_t> percent(const std::string &text) {
    return config::whole_number(text, 0, 100);
}

void check_need(const std::string &text) {
    if (!percent(text) && text != "requested" && text != "used")
        throw std::invalid_argument(
            config::quoted(text) + " is not a whole number from 0 to 100, nor requested, nor used");
}

// MiB; 0: less than one, or no amount of memory.
std::int64_t mebibytes(const std::string &text) {
    return sim::parse_memory(text, 'M').value_or(0) / 1024;
}

void check_size(const std::string &text) {
    if (mebibytes(text) == 0)
        throw std::invalid_argument(config::quoted(text) +
                                    " is not an amount of memory from 1M on, like 4000M or 4G");
}

void tell_unknown(const sim::Workload &workload, sim::MemoryNeed need, std::ostream &messages) {
    const auto unknown =
        std::count_if(workload.jobs.begin(), workload.jobs.end(),
                      [need](const sim::Job &job) { return !is_known(job, need); });
    const std::string what = std::string("say how much memory they ") +
                             (need == sim::MemoryNeed::used ? "used" : "requested");
    if (unknown == static_cast<std::ptrdiff_t>(workload.jobs.size()))
        throw UsageError(workload.source + ": none of its jobs " + what);
    if (unknown > 0)
        messages << program_invocation_short_name << ": " << workload.source
                 << ": note: " << unknown << " of " << workload.jobs.size() << " jobs do not "
                 << what << '\n';
}

} // namespace

void add_memory_options(Command command, MemoryOptions &options) {
    command
        .add_option("--memory-per-process", options.per_process,
                    "How much of its cores' share of the memory of their node a process needs, "
                    "from its start to its end, however folded; or as the log says; 0: memory is "
                    "not counted")
        .check(parsed_by(check_need))
        .type_name("PERCENT|requested|used")
        .capture_default_str();
    command
        .add_option("--memory-per-core", options.per_core,
                    "That every node has, for what the log says of jobs")
        .check(parsed_by(check_size))
        .type_name("SIZE[K|M|G|T]");
}

sim::Memory memory(const MemoryOptions &options, const std::vector<sim::Workload> &workloads,
                   std::ostream &messages) {
    if (const auto share = percent(options.per_process)) {
        if (!options.per_core.empty())
            throw UsageError("--memory-per-core needs --memory-per-process=requested or used");
        return sim::share_of_memory(static_cast<int>(*share));
    }
    if (options.per_core.empty())
        throw UsageError("--memory-per-process=" + options.per_process +
                         " needs --memory-per-core");
    sim::Memory result;
    result.need =
        options.per_process == "used" ? sim::MemoryNeed::used : sim::MemoryNeed::requested;
    result.per_core = mebibytes(options.per_core);
    for (const sim::Workload &workload : workloads)
        tell_unknown(workload, result.need, messages);
    return result;
}

} // namespace vmall::vmsim

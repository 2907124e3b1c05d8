// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads a log in the Standard Workload Format.
#include "sim/trace/swf.hpp"

#include "common/job_class.hpp"
#include "config/job_request.hpp"
#include "sim/trace/lines.hpp"
#include "sim/trace/swf_record.hpp"

#include <algorithm>
#include <unordered_set>

namespace vmall::sim {

namespace {

// A reason to leave the record out; null: it is a job.
const char *not_a_job(const SwfRecord &record) {
    const auto is = [status = record[SwfField::status]](SwfStatus value) {
        return status == static_cast<std::int64_t>(value);
    };
    const bool ran = record[SwfField::run_time] > 0;
    const bool cancelled = is(SwfStatus::cancelled);
    if (is(SwfStatus::part) || is(SwfStatus::last_part) || is(SwfStatus::failed_part))
        return "parts of checkpointed jobs";
    if (cancelled && (!ran || record[SwfField::allocated_processors] == 0))
        return "jobs cancelled before they ran";
    if (record[SwfField::run_time] < 0)
        return "jobs whose run time is not known";
    if (record[SwfField::allocated_processors] <= 0 && record[SwfField::requested_processors] <= 0)
        return "jobs whose number of processors is not known";
    return nullptr;
}

// By its name if it has one; empty for -1.
std::string name_of(const std::map<int, std::string> &names, std::int64_t number) {
    if (number < 0)
        return "";
    const auto found = names.find(static_cast<int>(number));
    return found != names.end() ? found->second : std::to_string(number);
}

RecordedJob recorded_job(const SwfRecord &record, const SwfHeader &header) {
    if (record[SwfField::job_number] == 0)
        throw BadLine{"field 1 (job number) is 0; job numbers begin at 1"};
    RecordedJob job;
    job.id = static_cast<std::uint32_t>(record[SwfField::job_number]);
    job.submit = record[SwfField::submit_time];
    if (record[SwfField::wait_time] >= 0)
        job.start = job.submit + record[SwfField::wait_time];
    job.runtime = record[SwfField::run_time];
    job.allocated = static_cast<int>(record[SwfField::allocated_processors]);
    job.requested = static_cast<int>(record[SwfField::requested_processors]);
    job.requested_time = std::max<std::int64_t>(0, (record[SwfField::requested_time] + 999) / 1000);
    job.requested_memory = std::max<std::int64_t>(0, record[SwfField::requested_memory]);
    job.used_memory = std::max<std::int64_t>(0, record[SwfField::used_memory]);
    if (record[SwfField::user] >= 0)
        job.user = std::to_string(record[SwfField::user]);
    const std::string queue = name_of(header.queues, record[SwfField::queue]);
    job.job_class = common::job_class_named(queue);
    job.partition = record[SwfField::partition] >= 0
                        ? name_of(header.partitions, record[SwfField::partition])
                        : queue;
    const auto executable = header.executables.find(static_cast<int>(record[SwfField::executable]));
    if (executable != header.executables.end())
        job.executable = &executable->second;
    return job;
}

class Reader {
  public:
    Reader(const LogFile &file, const Treatment &treatment, ReadLog &log)
        : lines_(file), treatment_(treatment), log_(log) {}

    Workload read() {
        std::string_view line;
        while (next(line))
            try {
                take(line);
            } catch (const BadLine &bad) {
                const char *cut = lines_.cut_off() ? " (the file ends in this line)" : "";
                log_.bad_line(at_line(lines_.path(), lines_.number(), bad.reason + cut));
            }
        if (workload_.jobs.empty())
            throw NoJobs(lines_.path() + ": there is no job in it");
        std::stable_sort(workload_.jobs.begin(), workload_.jobs.end(),
                         [](const Job &a, const Job &b) {
                             return std::pair(a.submit, a.id) < std::pair(b.submit, b.id);
                         });
        workload_.source = lines_.path();
        workload_.processors =
            header_.max_processors > 0 ? header_.max_processors : header_.max_nodes;
        workload_.unix_start = header_.unix_start_time;
        return std::move(workload_);
    }

  private:
    // Compressed data that ends early ends the log: one more bad line.
    bool next(std::string_view &line) {
        try {
            return lines_.next(line);
        } catch (const TraceError &error) {
            log_.bad_line(error.what());
            return false;
        }
    }

    void take(std::string_view line) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos)
            return;
        if (line[begin] == ';')
            return parse_swf_comment(line.substr(begin), header_);
        const SwfRecord record = parse_swf_line(line);
        if (const char *why = not_a_job(record)) {
            ++log_.left_out[why];
            return;
        }
        Job job = treated(recorded_job(record, header_), treatment_);
        if (!ids_.insert(job.id).second)
            throw BadLine{"there is another job " + std::to_string(job.id)};
        workload_.jobs.push_back(std::move(job));
    }

    Lines lines_;
    const Treatment &treatment_;
    ReadLog &log_;
    SwfHeader header_;
    Workload workload_;
    std::unordered_set<std::uint32_t> ids_;
};

} // namespace

Workload read_swf(const LogFile &file, const Treatment &treatment, ReadLog &log) {
    return Reader(file, treatment, log).read();
}

} // namespace vmall::sim

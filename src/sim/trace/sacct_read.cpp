// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads what sacct printed.
#include "sim/trace/sacct.hpp"

#include "config/number.hpp"
#include "sim/trace/lines.hpp"
#include "sim/trace/sacct_record.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace vmall::sim {

namespace {

std::int64_t of_each(std::int64_t memory, int cpus) {
    return (memory + cpus - 1) / cpus;
}

class Reader {
  public:
    Reader(const LogFile &file, const Treatment &treatment, ReadLog &log)
        : lines_(file), treatment_(treatment), log_(log) {}

    Workload read() {
        read_records();
        std::vector<SacctRecord> jobs = jobs_of_records();
        if (jobs.empty())
            throw NoJobs(lines_.path() + ": there is no job in it that ran");
        std::stable_sort(
            jobs.begin(), jobs.end(),
            [this](const SacctRecord &a, const SacctRecord &b) { return arrival(a) < arrival(b); });
        Workload workload;
        workload.source = lines_.path();
        const policy::Seconds begin = arrival(jobs.front());
        if (zoned_.value_or(false))
            workload.unix_start = begin;
        else
            log_.notes.push_back(
                "the times have no time zone: around a change of daylight saving time they are an "
                "hour off; SLURM_TIME_FORMAT=%s before sacct avoids it");
        workload.jobs.reserve(jobs.size());
        for (const SacctRecord &job : jobs)
            workload.jobs.push_back(treated(recorded(job, begin), treatment_));
        return workload;
    }

  private:
    void read_records() {
        std::string_view line;
        if (!lines_.next(line))
            throw TraceError(lines_.path() + ": is empty; write it with: " + sacct_command);
        const std::string titles(line);
        const SacctColumns columns = header(line);
        numbered_ = columns.has(SacctColumn::job_id_raw);
        note_missing(columns);
        while (next(line)) {
            if (line.empty() || line == titles) // of another dump that was put behind
                continue;
            try {
                std::visit([this](auto &&read) { add(std::move(read)); },
                           parse_sacct_line(line, columns, zoned_));
            } catch (const BadLine &bad) {
                refuse_other_columns(line);
                const char *cut = lines_.cut_off() ? " (the file ends in this line)" : "";
                const bool is_message = line.substr(0, line.find(' ')) == "sacct:";
                log_.bad_line(at_line(
                    lines_.path(), lines_.number(),
                    (is_message ? "a message of sacct instead of a job" : bad.reason) + cut));
            }
        }
    }

    // Also where bad lines are skipped: those behind it would be misread.
    void refuse_other_columns(std::string_view line) const {
        if (names_sacct_jobs(line))
            throw TraceError(at_line(lines_.path(), lines_.number(),
                                     "other column names than in line 1; only dumps with the same "
                                     "columns may stand one behind the other"));
    }

    SacctColumns header(std::string_view line) {
        try {
            return SacctColumns(line);
        } catch (const BadLine &bad) {
            throw TraceError(at_line(lines_.path(), lines_.number(), bad.reason));
        }
    }

    // Columns without which it goes, but not as its reader may think.
    void note_missing(const SacctColumns &columns) {
        if (treatment_.arrival == Arrival::eligible && !columns.has(SacctColumn::eligible))
            log_.notes.push_back("there is no column Eligible: jobs that had to wait for others, "
                                 "or for a time, arrive when they were submitted");
        if (!columns.has(SacctColumn::time_limit_raw) && !columns.has(SacctColumn::time_limit))
            log_.notes.push_back("there is no column TimelimitRaw: no job has an estimate, and "
                                 "all are long, but for ClassByPartition");
    }

    bool next(std::string_view &line) {
        try {
            return lines_.next(line);
        } catch (const TraceError &error) {
            log_.bad_line(error.what());
            return false;
        }
    }

    void check_number(const std::string &id) const {
        constexpr auto highest = std::numeric_limits<std::uint32_t>::max();
        if (numbered_ && !config::whole_number(id, 1, highest))
            throw BadLine{"JobIDRaw is " + config::quoted(id) + " instead of a number from 1 to " +
                          std::to_string(highest)};
    }

    // Records of one job stay together, in the place of the first.
    void add(SacctRecord record) {
        check_number(record.id);
        record.line = lines_.number();
        const auto [found, is_new] = places_.try_emplace(record.id, records_.size());
        if (is_new)
            records_.emplace_back();
        std::vector<SacctRecord> &job = records_[found->second];
        if (!is_new && job.front().user != record.user)
            throw BadLine{"User is " + config::quoted(record.user) + " instead of " +
                          config::quoted(job.front().user) + " as in line " +
                          std::to_string(job.front().line) + " for the same job; if jobs were " +
                          "numbered anew, dump what was before and after apart"};
        job.push_back(std::move(record));
    }

    // Steps follow the record of their job.
    void add(const SacctStep &step) {
        const auto found = places_.find(step.job);
        if (found == places_.end())
            return;
        SacctRecord &job = records_[found->second].back();
        job.used_memory = std::max(job.used_memory, step.used_memory);
    }

    std::vector<SacctRecord> jobs_of_records() {
        std::vector<SacctRecord> jobs;
        for (std::vector<SacctRecord> &records : records_) {
            SacctJob job = put_together(std::move(records));
            if (job.copies > 0)
                log_.left_out["records that are there twice"] += job.copies;
            if (job.earlier_runs > 0)
                log_.left_out["earlier runs of jobs that were requeued"] += job.earlier_runs;
            if (job.left_out != nullptr)
                ++log_.left_out[job.left_out];
            else
                jobs.push_back(std::move(job.record));
        }
        records_.clear();
        return jobs;
    }

    // A time when it was eligible that lies before its submission or after its start is none: a job
    // that is modified while it runs gets one.
    policy::Seconds arrival(const SacctRecord &job) const {
        const bool eligible = treatment_.arrival == Arrival::eligible && job.eligible &&
                              *job.eligible >= job.submit &&
                              *job.eligible <= job.start.value_or(*job.eligible);
        return eligible ? *job.eligible : job.submit;
    }

    RecordedJob recorded(const SacctRecord &job, policy::Seconds begin) {
        constexpr Milliseconds second = 1000;
        RecordedJob result;
        ++numbers_;
        const auto number =
            numbered_ ? config::whole_number(job.id, 1, std::numeric_limits<std::uint32_t>::max())
                      : std::nullopt;
        result.id = static_cast<std::uint32_t>(number.value_or(numbers_));
        result.submit = (arrival(job) - begin) * second;
        if (job.start)
            result.start = (*job.start - begin) * second;
        result.runtime = job.elapsed * second;
        result.allocated = job.cpus;
        result.requested_time = job.time_limit;
        result.user = job.user;
        result.partition = job.partition;
        result.account = job.account;
        result.useful_percent = job.useful_percent;
        result.core_seconds = job.cpu_seconds;
        result.requested_memory = of_each(job.requested_memory, job.cpus);
        result.used_memory = of_each(job.used_memory, job.cpus);
        return result;
    }

    Lines lines_;
    const Treatment &treatment_;
    ReadLog &log_;
    bool numbered_ = false;     // there are raw ids
    std::optional<bool> zoned_; // of the times
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<std::vector<SacctRecord>> records_; // by job
    std::uint32_t numbers_ = 0;
};

} // namespace

Workload read_sacct(const LogFile &file, const Treatment &treatment, ReadLog &log) {
    return Reader(file, treatment, log).read();
}

} // namespace vmall::sim

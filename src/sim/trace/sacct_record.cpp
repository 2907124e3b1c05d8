// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line of sacct, and the records of one job put together.
#include "sim/trace/sacct_record.hpp"

#include "common/job_note.hpp"
#include "config/number.hpp"
#include "policy/demand.hpp"
#include "sim/trace/memory_size.hpp"
#include "sim/trace/trace_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vmall::sim {

namespace {

using Fields = std::vector<std::string_view>;
using Column = SacctColumn;

[[noreturn]] void refuse(Column column, std::string_view found, const std::string &accepted) {
    throw BadLine{std::string(SacctColumns::name(column)) + " is " + config::quoted(found) +
                  " instead of " + accepted};
}

bool digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// 123, 123_4, 123_[5-9] (elements of an array that wait), 123+0; before the point of a step.
bool is_job_id(std::string_view text) {
    const std::size_t mark = text.find_first_of("_+");
    if (mark == std::string_view::npos)
        return digits(text);
    const std::string_view rest = text.substr(mark + 1);
    const bool waiting = rest.size() > 2 && rest.front() == '[' && rest.back() == ']';
    return digits(text.substr(0, mark)) && (digits(rest) || (text[mark] == '_' && waiting));
}

struct RecordId {
    std::string job;
    bool is_of_step;
};

RecordId id_of(const Fields &fields, const SacctColumns &columns) {
    const Column column = columns.has(Column::job_id_raw) ? Column::job_id_raw : Column::job_id;
    const std::string_view text = columns.get(fields, column);
    const std::size_t step =
        text.find('.', text.find(']') == std::string_view::npos ? 0 : text.find(']'));
    if (!is_job_id(text.substr(0, step)))
        refuse(column, text, "a job like 123, 123_4 or 123+0, or a step like 123.batch");
    return {std::string(text.substr(0, step)), step != std::string_view::npos};
}

SacctState state_of(const Fields &fields, const SacctColumns &columns) {
    struct Word {
        std::string_view word;
        SacctState state;
    };
    constexpr Word words[] = {
        {"PENDING", SacctState::not_started},
        {"REQUEUE_HOLD", SacctState::not_started},
        {"SPECIAL_EXIT", SacctState::not_started},
        {"RUNNING", SacctState::running},
        {"SUSPENDED", SacctState::running},
        {"RESIZING", SacctState::resized},
        {"REVOKED", SacctState::elsewhere},
        {"BOOT_FAIL", SacctState::ended},
        {"CANCELLED", SacctState::cancelled},
        {"COMPLETED", SacctState::ended},
        {"DEADLINE", SacctState::ended},
        {"FAILED", SacctState::ended},
        {"NODE_FAIL", SacctState::ended},
        {"OUT_OF_MEMORY", SacctState::ended},
        {"PREEMPTED", SacctState::ended},
        {"REQUEUED", SacctState::ended},
        {"TIMEOUT", SacctState::ended},
    };
    const std::string_view text = columns.get(fields, Column::state);
    const std::string_view first = text.substr(0, text.find_first_of(" +")); // CANCELLED by 1000
    for (const Word &word : words)
        if (word.word == first)
            return word.state;
    refuse(Column::state, text, "a state of Slurm's accounting like COMPLETED");
}

std::optional<policy::Seconds> time_of(const Fields &fields, const SacctColumns &columns,
                                       Column column, std::optional<bool> &zoned) {
    const std::string_view text = columns.get(fields, column);
    if (is_no_time(text))
        return std::nullopt;
    const auto time = parse_sacct_time(text);
    if (!time)
        refuse(column, text, "seconds since 1970, YYYY-MM-DDTHH:MM:SS or Unknown");
    if (zoned.value_or(time->zoned) != time->zoned)
        refuse(column, text,
               std::string("a time ") + (*zoned ? "with" : "without") +
                   " a time zone, as in the lines before");
    zoned = time->zoned;
    return time->seconds;
}

// Without a zone, what happens after clocks were set back lies up to an hour before what it
// follows.
bool by_clocks_set_back(policy::Seconds earlier, policy::Seconds later,
                        const std::optional<bool> &zoned) {
    constexpr policy::Seconds hour = 60 * 60;
    return zoned == false && later < earlier && earlier - later <= hour;
}

policy::Seconds elapsed(const Fields &fields, const SacctColumns &columns,
                        std::optional<policy::Seconds> start, std::optional<policy::Seconds> end) {
    if (columns.has(Column::elapsed_raw)) {
        const std::string_view text = columns.get(fields, Column::elapsed_raw);
        const auto seconds =
            config::whole_number(text, 0, std::numeric_limits<std::uint32_t>::max());
        if (!seconds)
            refuse(Column::elapsed_raw, text, "a number of seconds");
        return *seconds;
    }
    if (columns.has(Column::elapsed)) {
        const std::string_view text = columns.get(fields, Column::elapsed);
        const auto seconds = parse_sacct_duration(text);
        if (!seconds)
            refuse(Column::elapsed, text, "a time like 1-02:03:04 or 02:03:04");
        return *seconds;
    }
    return start && end ? *end - *start : 0;
}

policy::Seconds time_limit(const Fields &fields, const SacctColumns &columns) {
    const bool raw = columns.has(Column::time_limit_raw);
    const Column column = raw ? Column::time_limit_raw : Column::time_limit;
    const std::string_view text = columns.get(fields, column);
    if (text.empty() || text == "UNLIMITED" || text == "Partition_Limit")
        return 0;
    std::optional<policy::Seconds> limit = parse_sacct_duration(text);
    if (raw) {
        constexpr policy::Seconds minute = 60;
        const auto minutes =
            config::whole_number(text, 0, std::numeric_limits<std::uint32_t>::max());
        limit = minutes ? std::optional(*minutes * minute) : std::nullopt;
    }
    if (!limit)
        refuse(column, text,
               std::string(raw ? "a number of minutes" : "a time like 1-02:03:04 or 02:03:04") +
                   ", UNLIMITED or Partition_Limit");
    return *limit;
}

int cpus(const Fields &fields, const SacctColumns &columns) {
    for (const Column column : {Column::alloc_cpus, Column::n_cpus, Column::req_cpus}) {
        if (!columns.has(column))
            continue;
        const std::string_view text = columns.get(fields, column);
        const auto count = config::whole_number(text, 0, std::numeric_limits<int>::max());
        if (!count)
            refuse(column, text, "a number of CPUs");
        if (*count > 0)
            return static_cast<int>(*count);
    }
    return 0;
}

std::int64_t times(std::int64_t memory, std::int64_t count) {
    return count > 0 && memory > most_memory / count ? most_memory : memory * count;
}

// 0 where the column is empty or not there.
std::int64_t count_of(const Fields &fields, const SacctColumns &columns, Column column) {
    const std::string_view text = columns.get(fields, column);
    if (text.empty())
        return 0;
    const auto count = config::whole_number(text, 0, std::numeric_limits<int>::max());
    if (!count)
        refuse(column, text, "a number");
    return *count;
}

// Until Slurm 21.08 it is that of a CPU (4000Mc) or node (16Gn).
std::int64_t requested_memory(const Fields &fields, const SacctColumns &columns, int cpus) {
    std::string_view text = columns.get(fields, Column::req_mem);
    if (text.empty())
        return 0;
    const char of = text.back();
    if (of == 'c' || of == 'n')
        text.remove_suffix(1);
    const auto memory = parse_memory(text, 'M');
    if (!memory)
        refuse(Column::req_mem, columns.get(fields, Column::req_mem),
               "an amount of memory like 16G, 4000Mc or 16Gn");
    if (of == 'n')
        return times(*memory, count_of(fields, columns, Column::n_nodes));
    return of == 'c' ? times(*memory, cpus) : *memory;
}

std::int64_t used_memory(const Fields &fields, const SacctColumns &columns) {
    const std::string_view text = columns.get(fields, Column::max_rss);
    if (text.empty())
        return 0;
    const auto of_task = parse_memory(text, 'K');
    if (!of_task)
        refuse(Column::max_rss, text, "an amount of memory like 1200K or 1.50G");
    return times(*of_task, std::max<std::int64_t>(count_of(fields, columns, Column::n_tasks), 1));
}

// slurmdbd has one record of a job for each time it was submitted or resized. Of two, that of the
// later dump knows more.
std::vector<SacctRecord> without_copies(std::vector<SacctRecord> sorted) {
    std::vector<SacctRecord> result;
    for (SacctRecord &record : sorted)
        if (result.empty() || record.submit != result.back().submit)
            result.push_back(std::move(record));
        else if (record.state >= result.back().state)
            result.back() = std::move(record);
    return result;
}

// Of the CPUs that a folded run would have unfolded there are known: its processes shared them,
// none of them with more than `mpl`. A later record that is not folded may say it exactly.
int unfolded_cpus(const std::vector<SacctRecord> &parts) {
    const std::int64_t held = parts.front().cpus, mpl = parts.front().mpl;
    std::int64_t cpus = std::min<std::int64_t>(held * mpl, std::numeric_limits<int>::max());
    for (const SacctRecord &part : parts)
        if (mpl > 1 && part.mpl == 1 && part.cpus > held * (mpl - 1))
            cpus = std::min<std::int64_t>(cpus, part.cpus);
    return static_cast<int>(cpus);
}

// What a part of the run would have taken on so many CPUs: a process that has half of one for
// itself loses nothing if it waits for half of its time.
double unfolded_seconds(const SacctRecord &part, int cpus, double useful_share) {
    const double had = static_cast<double>(part.cpus) / cpus;
    return static_cast<double>(part.elapsed) *
           (part.mpl > 1 ? std::min(1.0, had / useful_share) : had);
}

// The work of resized and folded runs, each of which goes on where the one before it ends.
SacctRecord one_run(const std::vector<SacctRecord> &parts) {
    SacctRecord run = parts.front();
    run.state = parts.back().state;
    for (const SacctRecord &part : parts) {
        run.clocks_set_back = run.clocks_set_back || part.clocks_set_back;
        run.cpu_seconds += static_cast<double>(part.elapsed) * part.cpus;
        if (part.useful_percent) // the last that knows it
            run.useful_percent = part.useful_percent;
        run.used_memory = std::max(run.used_memory, part.used_memory);
    }
    run.cpus = unfolded_cpus(parts);
    if (run.cpus == 0 || (parts.size() == 1 && run.cpus == parts.front().cpus))
        return run;
    double seconds = 0;
    for (const SacctRecord &part : parts)
        seconds += unfolded_seconds(part, run.cpus, run.useful_percent.value_or(100) / 100.0);
    constexpr double rounding = 1e-6;
    constexpr double longest = std::numeric_limits<std::uint32_t>::max(); // as of a record
    run.elapsed = static_cast<policy::Seconds>(std::min(std::ceil(seconds - rounding), longest));
    return run;
}

const char *reason_to_leave_out(const SacctRecord &record) {
    switch (record.state) {
    case SacctState::not_started:
        return "jobs that had not started";
    case SacctState::running:
    case SacctState::resized: // goes on after the end of the dump
        return "jobs that had not ended";
    case SacctState::elsewhere:
        return "jobs of a federation that ran elsewhere";
    case SacctState::cancelled: // some versions give the time of cancelling as the start
        if (record.elapsed == 0)
            return "jobs cancelled before they started";
        break;
    case SacctState::ended:
        if (record.elapsed == 0 && !record.start)
            return "jobs that ended before they started";
        break;
    }
    if (record.clocks_set_back)
        return "jobs that seem to start before they were submitted or to end before they started: "
               "it was the night in which clocks are set back, and times have no zone";
    return record.cpus == 0 ? "jobs whose number of CPUs is not known" : nullptr;
}

} // namespace

std::variant<SacctRecord, SacctStep>
parse_sacct_line(std::string_view line, const SacctColumns &columns, std::optional<bool> &zoned) {
    const Fields fields = columns.split_line(line);
    const RecordId id = id_of(fields, columns);
    if (id.is_of_step)
        return SacctStep{id.job, used_memory(fields, columns)};
    SacctRecord record;
    record.id = id.job;
    record.state = state_of(fields, columns);
    const auto submit = time_of(fields, columns, Column::submit, zoned);
    if (!submit)
        refuse(Column::submit, columns.get(fields, Column::submit), "the time of submission");
    record.submit = *submit;
    record.eligible = time_of(fields, columns, Column::eligible, zoned);
    record.start = time_of(fields, columns, Column::start, zoned);
    record.elapsed =
        elapsed(fields, columns, record.start, time_of(fields, columns, Column::end, zoned));
    const policy::Seconds start = record.start.value_or(record.submit);
    record.clocks_set_back = by_clocks_set_back(record.submit, start, zoned) ||
                             by_clocks_set_back(0, record.elapsed, zoned);
    if (start < record.submit && !record.clocks_set_back)
        refuse(Column::start, columns.get(fields, Column::start), "a time from Submit on");
    if (record.elapsed < 0 && !record.clocks_set_back)
        refuse(Column::end, columns.get(fields, Column::end), "a time after Start");
    record.cpus = cpus(fields, columns);
    record.requested_memory = requested_memory(fields, columns, record.cpus);
    record.time_limit = time_limit(fields, columns);
    record.user = columns.get(fields, Column::user);
    record.partition = columns.get(fields, Column::partition);
    record.account = columns.get(fields, Column::account);
    if (const auto note =
            common::note_in(std::string(columns.get(fields, Column::admin_comment)))) {
        if (note->mpl <= policy::highest_mpl)
            record.mpl = note->mpl;
        record.useful_percent = note->useful_percent;
    }
    return record;
}

SacctJob put_together(std::vector<SacctRecord> records) {
    std::stable_sort(
        records.begin(), records.end(),
        [](const SacctRecord &a, const SacctRecord &b) { return a.submit < b.submit; });
    SacctJob job;
    const std::size_t all = records.size();
    records = without_copies(std::move(records));
    job.copies = all - records.size();
    std::vector<SacctRecord> run;
    for (const SacctRecord &record : records) {
        if (!run.empty() && run.back().state != SacctState::resized) {
            ++job.earlier_runs;
            run.clear();
        }
        run.push_back(record);
    }
    job.record = one_run(run);
    job.record.submit = records.front().submit;
    job.record.eligible = records.front().eligible;
    job.left_out = reason_to_leave_out(job.record);
    return job;
}

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of what vmctl top shows.
#include "tools/vmctl/top/parts.hpp"

#include "tools/vmctl/cells.hpp"
#include "tools/vmctl/history_table.hpp"
#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/top/bars.hpp"
#include "tools/vmctl/top/grid.hpp"
#include "tools/vmctl/words.hpp"

#include <algorithm>

namespace vmall::vmctl::top {

namespace {

template <typename Row, typename ToText>
Column column(const char *title, bool is_number, bool can_go, const std::vector<Row> &rows,
              ToText to_text) {
    Column made{title, is_number, can_go, {}};
    for (const Row &row : rows)
        made.cells.push_back(to_text(row));
    return made;
}

// Those that tell who it is.
template <typename Row>
std::vector<Column> columns_of(const std::vector<Row> &jobs) {
    return {
        column(
            "JOBID", true, false, jobs, [](const Row &job) { return std::to_string(job.job_id); }),
        column(
            "NAME", false, true, jobs, [](const Row &job) { return short_name(job.name); }),
        column(
            "USER", false, true, jobs, [](const Row &job) { return user_name(job.user_id); }),
        column(
            "CLASS", false, true, jobs, [](const Row &job) { return class_name(job.job_class); })};
}

// "2/8", and whether a node has not confirmed that yet.
std::string cores_of(const wire::JobRow &job) {
    return std::to_string(cores_now(job)) + "/" + std::to_string(job.full_cores) +
           (job.resize_pending ? "*" : " ");
}

std::string milliseconds(std::uint64_t microseconds) {
    const std::uint64_t tenths = (microseconds + 50) / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

// Words, one after the other, on as many lines as they need.
std::vector<Line> flow(const std::vector<std::string> &words, const std::string &between,
                       std::size_t width, Style style) {
    std::vector<std::string> lines;
    for (const std::string &word : words)
        if (lines.empty() || lines.back().size() + between.size() + word.size() > width)
            lines.push_back(word.substr(0, width));
        else
            lines.back() += between + word;
    std::vector<Line> styled;
    for (const std::string &line : lines)
        styled.push_back({Span(line, style)});
    return styled;
}

std::vector<std::string> words_of(const std::string &text) {
    std::vector<std::string> words(1);
    for (const char letter : text)
        if (letter != ' ')
            words.back() += letter;
        else if (!words.back().empty())
            words.emplace_back();
    return words;
}

Line title_line(const Sight &sight, std::size_t width) {
    const std::string time = local_time(sight.now);
    std::string left =
        "vmctl top" + (sight.controller.empty() ? "" : " - " + printable(sight.controller));
    left.resize(std::max(width, time.size() + 1) - time.size(), ' ');
    return cut({Span(left + time, Style::strong)}, width);
}

std::vector<std::string> facts_of(const Sight &sight) {
    const Observation &seen = *sight.seen;
    std::uint64_t lent = 0, full = 0;
    for (const wire::JobRow &job : seen.jobs) {
        const std::uint64_t now = cores_now(job);
        lent += job.full_cores - std::min<std::uint64_t>(now, job.full_cores);
        full += job.full_cores;
    }
    const auto count = [&](const char *label, const char *name) {
        return std::string(label) + " " + std::to_string(value_of(name, seen.stats).value_or(0));
    };
    const auto &passes = sight.history.passes();
    std::vector<std::string> facts = {
        count("running", "jobs_malleable"), count("folded", "jobs_folded"),
        count("resizing", "resizes_pending"), count("waiting", "jobs_waiting"),
        "cores lent " + std::to_string(lent) + " of " + std::to_string(full)};
    if (passes)
        facts.push_back("last pass " + time_of_day(passes->seen) + ", " +
                        milliseconds(passes->mean_microseconds));
    return facts;
}

std::string trouble_of(const Sight &sight) {
    const std::string since =
        sight.seen ? "No answer since " + time_of_day(sight.seen->at) : "No answer yet";
    return since + ": " + printable(sight.problem) +
           ". Asking again; vmctl doctor says what to do.";
}

} // namespace

std::vector<Line> header_lines(const Sight &sight, std::size_t width) {
    std::vector<Line> lines = {title_line(sight, width)};
    const auto add = [&](const std::vector<Line> &more) {
        lines.insert(lines.end(), more.begin(), more.end());
    };
    if (sight.seen) {
        add(flow(facts_of(sight), "  ", width, Style::plain));
        for (const std::string &node : sight.seen->silent)
            add(flow(words_of("Not told by " + printable(node)), " ", width, Style::wrong));
    }
    if (!sight.problem.empty())
        add(flow(words_of(trouble_of(sight)), " ", width, Style::wrong));
    else if (!sight.seen)
        lines.push_back({"Asking ..."});
    return lines;
}

std::vector<Line> job_lines(const std::vector<wire::JobRow> &jobs, std::size_t width) {
    using wire::JobRow;
    std::vector<Column> columns = columns_of(jobs);
    columns.push_back(column("MPL", true, false, jobs,
                             [](const JobRow &job) { return std::to_string(job.mpl); }));
    columns.push_back(column("CORES", true, false, jobs, cores_of));
    columns.push_back(column("USEFUL", true, false, jobs, useful_share));
    const Rest rest{"ALLOTMENT (# has, - lent)", width / 3,
                    [&](std::size_t row, std::size_t room) { return bars(jobs[row], room); }};
    return grid(std::move(columns), jobs.size(), rest, width);
}

std::vector<Line> queue_lines(const std::vector<wire::WaitingRow> &queue, std::size_t width) {
    using wire::WaitingRow;
    std::vector<Column> columns = columns_of(queue);
    columns.push_back(column("SIZES", false, true, queue, sizes_of));
    const Rest rest{"REASON", width / 2, [&](std::size_t row, std::size_t) -> Line {
                        return {printable(queue[row].reason)};
                    }};
    return grid(std::move(columns), queue.size(), rest, width);
}

std::vector<Line> event_lines(const std::vector<wire::HistoryRow> &events, std::size_t width) {
    using wire::HistoryRow;
    std::vector<Column> columns = {
        column(
            "TIME", false, false, events,
            [](const HistoryRow &row) { return time_of_day(row.time); }),
        column(
            "JOBID", true, false, events,
            [](const HistoryRow &row) { return std::to_string(row.job_id); }),
        column(
            "EVENT", false, false, events,
            [](const HistoryRow &row) { return std::string(wire::name_of(row.event)); }),
        column("CORES", true, false, events, cores_from_to)};
    const Rest rest{
        "WHAT WAS DONE LAST, AND WHY", width / 3,
        [&](std::size_t row, std::size_t) -> Line { return {printable(why_of(events[row]))}; }};
    return grid(std::move(columns), events.size(), rest, width);
}

std::vector<Line> growth_lines(const std::vector<Growth> &growths, std::size_t width) {
    std::vector<Column> columns = {
        column("TIME", false, false, growths,
               [](const Growth &growth) { return time_of_day(growth.seen); }),
        column("", true, false, growths,
               [](const Growth &growth) { return "+" + std::to_string(growth.by); })};
    const Rest rest{"COUNTERS THAT GREW LAST", width / 2,
                    [&](std::size_t row, std::size_t) -> Line {
                        const Growth &growth = growths[row];
                        return {printable(growth.name) + ", now " + std::to_string(growth.value)};
                    }};
    return grid(std::move(columns), growths.size(), rest, width);
}

} // namespace vmall::vmctl::top

// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl top shows, as lines of text.
#include "tools/vmctl/top/view.hpp"

#include "tools/vmctl/cells.hpp"
#include "tools/vmctl/top/parts.hpp"

#include <algorithm>
#include <iterator>

namespace vmall::vmctl::top {

namespace {

constexpr std::size_t most_events = 8;
constexpr std::size_t most_growths = 5;

// Rows of each part that there are, or that are shown.
struct Rows {
    std::size_t jobs, waiting, events, growths;
};

// Titles, and the blank lines before them.
std::size_t lines_around(const Rows &rows) {
    return 1 + (rows.waiting > 0 ? 2 : 0) + (rows.events > 0 ? 2 : 0) + (rows.growths > 0 ? 2 : 0);
}

// What is not needed by the others is for events.
Rows share_out(const Rows &wanted, std::size_t lines) {
    const std::size_t around = lines_around(wanted);
    std::size_t left = lines > around ? lines - around : 0;
    Rows rows{0, 0, 0, 0};
    rows.growths = std::min(wanted.growths, left / 8);
    rows.events = std::min(wanted.events, left / 5);
    left -= rows.growths + rows.events;
    rows.waiting = std::min(wanted.waiting, std::max(left / 3, left - std::min(left, wanted.jobs)));
    rows.jobs = std::min(wanted.jobs, left - rows.waiting);
    left -= rows.jobs + rows.waiting;
    const std::size_t more = std::min(wanted.events - rows.events, left);
    rows.events += more;
    rows.growths += std::min(wanted.growths - rows.growths, left - more);
    return rows;
}

// The first `count` of all, the last of which says how many are not among them.
template <typename Row, typename ToLines>
void add_part(std::vector<Line> &lines, std::vector<Row> all, std::size_t count, ToLines to_lines) {
    const std::size_t whole = all.size();
    const bool is_cut = count < whole;
    if (is_cut) // one line is for saying so
        all.erase(all.begin() + std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(count) - 1),
                  all.end());
    if (!lines.empty())
        lines.emplace_back();
    const std::vector<Line> rows = to_lines(all);
    lines.insert(lines.end(), rows.begin(), rows.end());
    if (is_cut && count > 0)
        lines.push_back({"... and " + std::to_string(whole - all.size()) + " more"});
}

template <typename Row>
std::vector<Row> first_of(std::vector<Row> rows, std::size_t count) {
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), count)),
               rows.end());
    return rows;
}

std::vector<wire::JobRow> deepest_first(std::vector<wire::JobRow> jobs) {
    std::stable_sort(
        jobs.begin(), jobs.end(),
        [](const wire::JobRow &one, const wire::JobRow &other) { return one.mpl > other.mpl; });
    return jobs;
}

void add_parts(std::vector<Line> &lines, const Sight &sight, const Size &size) {
    const Observation &seen = *sight.seen;
    std::vector<wire::HistoryRow> events = first_of(sight.history.events(), most_events);
    std::vector<Growth> growths = first_of(sight.history.growths(), most_growths);
    Rows rows{seen.jobs.size(), seen.queue.size(), events.size(), growths.size()};
    if (size.height)
        rows =
            share_out(rows, *size.height > lines.size() + 1 ? *size.height - lines.size() - 1 : 0);
    events = first_of(std::move(events), rows.events);
    growths = first_of(std::move(growths), rows.growths);
    add_part(lines, deepest_first(seen.jobs), rows.jobs,
             [&](const auto &jobs) { return job_lines(jobs, size.width); });
    if (!seen.queue.empty())
        add_part(lines, seen.queue, rows.waiting,
                 [&](const auto &queue) { return queue_lines(queue, size.width); });
    if (!events.empty())
        add_part(lines, events, rows.events,
                 [&](const auto &some) { return event_lines(some, size.width); });
    if (!growths.empty())
        add_part(lines, growths, rows.growths,
                 [&](const auto &some) { return growth_lines(some, size.width); });
}

} // namespace

std::vector<Line> lines_of(const Sight &sight, const Size &size) {
    std::vector<Line> lines = header_lines(sight, size.width);
    if (sight.seen)
        add_parts(lines, sight, size);
    if (size.height && lines.size() > *size.height)
        lines.resize(*size.height);
    return lines;
}

} // namespace vmall::vmctl::top

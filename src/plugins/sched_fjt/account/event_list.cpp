// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pages of the history, batch by batch.
#include "plugins/sched_fjt/account/event_list.hpp"

#include "wire/page_text.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::sched {

namespace {

constexpr std::ptrdiff_t batch_size = 512;

}

void EventList::add(const wire::HistoryRow &row, std::string line) {
    const std::lock_guard<std::mutex> guard(mutex_);
    bytes_ += line.size();
    kept_.push_back(std::make_shared<const Kept>(Kept{++last_number_, row.time, row.job_id,
                                                      row.for_job.value_or(0), row.user_id,
                                                      row.account, std::move(line)}));
}

void EventList::keep_within(std::size_t highest_bytes) {
    const std::lock_guard<std::mutex> guard(mutex_);
    while (bytes_ > highest_bytes) {
        bytes_ -= kept_.front()->line.size();
        kept_.pop_front();
    }
}

std::string EventList::page(const wire::Query &query, Viewer viewer,
                            std::size_t highest_bytes) const {
    wire::PageText page("history", highest_bytes);
    std::uint64_t last = query.after;
    for (Batch batch = next_after(last); !batch.empty(); batch = next_after(last))
        for (const auto &kept : batch) {
            if (is_asked_for(*kept, query, viewer)) {
                if (kept->line.size() > page.room())
                    return page.end_before(last);
                page.add(kept->line);
            }
            last = kept->number;
        }
    return page.end();
}

bool EventList::is_asked_for(const Kept &kept, const wire::Query &query, Viewer &viewer) {
    const bool concerns = query.job == 0 || kept.job == query.job || kept.for_job == query.job;
    return concerns && kept.time >= query.since && viewer.sees(kept.user, kept.account);
}

EventList::Batch EventList::next_after(std::uint64_t number) const {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto first = std::upper_bound(
        kept_.begin(), kept_.end(), number,
        [](std::uint64_t before, const auto &kept) { return before < kept->number; });
    return Batch(first, first + std::min(batch_size, std::distance(first, kept_.end())));
}

} // namespace vmall::sched

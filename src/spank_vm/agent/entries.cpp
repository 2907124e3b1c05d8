// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entries come with whatever names a job; those of which nothing is known go when there are many.
#include "spank_vm/agent/entries.hpp"

#include "wire/seal.hpp"

#include <iterator>

namespace vmall::agent {

namespace {

// More than a node can have jobs; bounds what stays of those that have ended.
constexpr std::size_t highest_entry_count = 4096;

// Nobody can get an entry that only the map has, whose mutex is locked.
bool is_over(const std::shared_ptr<Entry> &entry) {
    if (entry.use_count() > 1)
        return false;
    const std::lock_guard<std::mutex> lock(entry->mutex);
    return !entry->known.job() && !entry->known.damage();
}

} // namespace

void Entry::forget_job() {
    if (const auto run = known.run())
        ended_ = Ended{*run, std::chrono::steady_clock::now()};
    known.forget();
}

bool Entry::is_of_ended_run(const wire::Target &target) const {
    constexpr std::chrono::seconds lifetime{wire::Seal::seconds_to_live};
    return ended_ && target.run && *target.run <= ended_->run &&
           std::chrono::steady_clock::now() < ended_->at + lifetime;
}

std::shared_ptr<Entry> Entries::of(std::uint32_t job_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<Entry> entry = entries_[job_id];
    if (!entry)
        entries_[job_id] = entry = std::make_shared<Entry>();
    for (auto old = entries_.begin();
         old != entries_.end() && entries_.size() > highest_entry_count;)
        old = is_over(old->second) ? entries_.erase(old) : std::next(old);
    return entry;
}

std::vector<std::pair<std::uint32_t, std::shared_ptr<Entry>>> Entries::all() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {entries_.begin(), entries_.end()};
}

} // namespace vmall::agent

// SPDX-License-Identifier: GPL-2.0-or-later
//
// What comes free by and by. Whether a job fits takes a look at all nodes, and there may be
// thousands of releases. So nobody looks before there are cores enough, and then by halves.
#include "policy/least_work/releases.hpp"

#include "policy/time.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace vmall::policy::least_work {

namespace {

int cores_of_nodes_with_any(const Room &room) {
    return std::accumulate(
        room.begin(), room.end(), 0, [](int sum, int cores) { return sum + std::max(cores, 0); });
}

} // namespace

void Releases::add(Seconds time, CoreCounts cores, MemoryCounts memory) {
    releases_.push_back({time, std::move(cores), std::move(memory)});
}

std::size_t Releases::count_until(Seconds time) const {
    const auto end = std::upper_bound(
        releases_.begin(), releases_.end(), time,
        [](Seconds until, const Release &release) { return until < release.time; });
    return static_cast<std::size_t>(end - releases_.begin());
}

// How many of them have to come for so many cores, or all of them.
std::size_t Releases::count_for(int cores) const {
    std::size_t count = 0;
    for (; cores > 0 && count < releases_.size(); count++)
        cores -= cores_of(releases_[count].cores);
    return count;
}

std::optional<Seconds> Releases::first_fit(Seconds earliest, int least, Room &room,
                                           const std::function<bool(const Room &)> &fits) {
    std::sort(releases_.begin(), releases_.end(),
              [](const Release &left, const Release &right) { return left.time < right.time; });
    std::size_t given = 0;
    const auto fits_with = [&](std::size_t count) {
        for (; given < count; given++) {
            room += releases_[given].cores;
            room += releases_[given].memory;
        }
        for (; given > count; given--) {
            room -= releases_[given - 1].cores;
            room -= releases_[given - 1].memory;
        }
        return fits(room);
    };
    const std::size_t come = count_until(earliest);
    const std::size_t all = std::max(come, count_until(never - 1));
    const auto time_of = [&](std::size_t count) {
        return count > come ? releases_[count - 1].time : earliest;
    };
    std::size_t enough = std::max(come, count_for(least - cores_of_nodes_with_any(room)));
    if (enough > all)
        return std::nullopt;
    if (!fits_with(count_until(time_of(enough)))) {
        std::size_t too_few = enough;
        enough = all;
        if (!fits_with(all))
            return std::nullopt;
        while (enough - too_few > 1) {
            const std::size_t half = too_few + (enough - too_few) / 2;
            (fits_with(half) ? enough : too_few) = half;
        }
        fits_with(count_until(time_of(enough)));
    }
    return time_of(enough);
}

bool Releases::fits_by(Seconds latest, int least, Room room,
                       const std::function<bool(const Room &)> &fits) const {
    std::vector<const Release *> come;
    for (const Release &release : releases_)
        if (release.time <= latest) {
            come.push_back(&release);
            least -= cores_of(release.cores);
        }
    if (cores_of_nodes_with_any(room) < least)
        return false;
    for (const Release *release : come) {
        room += release->cores;
        room += release->memory;
    }
    return fits(room);
}

} // namespace vmall::policy::least_work

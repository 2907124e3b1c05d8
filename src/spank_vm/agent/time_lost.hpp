// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job has lost by sharing its cores on this node, what it had of them, and what its time
// limit was extended by for that. Kept on disk for the agent after a restart, through which the job
// goes on as it was.
#pragma once

#include "policy/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace vmall::agent {

struct CoreCounts {
    int now = 0;
    int given = 0; // by Slurm
};

class TimeLost {
  public:
    // Until then, by the clock on the wall, it was as the last call said, and is as this one says
    // from then on.
    void pass(policy::Seconds now, int mpl, CoreCounts cores = {});

    // Minutes that its limit is to be extended by now, so that it will not have lost more than that
    // within `ahead`; at most as many as leave the sum at `most`, in seconds.
    int due(policy::Seconds ahead, policy::Seconds most) const;
    // As due() without bound is more than with it.
    bool is_bounded(policy::Seconds ahead, policy::Seconds most) const;

    // So many minutes are being asked for, beyond a limit of `from` minutes. They count as given
    // until reconcile() sees that they were not.
    void ask(int from, int minutes);
    void granted() { asked_.reset(); }
    bool is_asking() const { return asked_.has_value(); }
    // What the limit is by now, whatever became of the question. One that is neither what it was
    // nor what was asked for is somebody else's: nobody knows what he saw, so it gets no more.
    void reconcile(int limit);

    policy::Seconds lost() const { return lost_ / 1000; }
    int extended() const { return extended_; } // minutes
    std::int64_t core_seconds() const { return core_seconds_; }
    std::int64_t core_seconds_given() const { return core_seconds_given_; }

    std::string encode() const;
    static TimeLost decode(const std::string &json); // throws wire::MessageError

  private:
    struct Asked {
        int from;
        int minutes;
    };

    std::int64_t lost_ = 0; // ms
    int extended_ = 0;      // minutes, with those that are asked for
    std::optional<Asked> asked_;
    policy::Seconds since_ = 0;
    int mpl_ = 1;      // since then
    CoreCounts cores_; // likewise
    std::int64_t core_seconds_ = 0;
    std::int64_t core_seconds_given_ = 0;
};

inline constexpr std::size_t highest_time_lost_bytes = 4096;
std::string file_of_time_lost(const std::string &runtime_dir, std::uint32_t job_id);

// For people, what a job had and lost on that node; empty: it has lost nothing.
std::string in_words(const TimeLost &time, const std::string &node_name);

} // namespace vmall::agent

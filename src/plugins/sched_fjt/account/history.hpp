// SPDX-License-Identifier: GPL-2.0-or-later
//
// What happened to virtually malleable jobs, kept within a bound and across restarts of slurmctld:
// when each run of a job started, folded, unfolded and ended, why, and for whom.
#pragma once

#include "common/log_limit.hpp"
#include "config/config.hpp"
#include "plugins/sched_fjt/account/event_list.hpp"
#include "plugins/sched_fjt/account/happening.hpp"
#include "plugins/sched_fjt/account/history_file.hpp"
#include "plugins/sched_fjt/see/view.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vmall::sched {

class History {
  public:
    // Reads the files there. What cannot be read is left out, and the log says so.
    History(std::string path, const config::Config &config);

    // After each pass, under no lock of slurmctld's. Jobs of the view that the history does not
    // know are told as seen; those that it knows and that are not there any more as ended.
    void keep(const std::vector<Happening> &happenings, const View &view,
              const config::Config &config);

    // From any thread.
    std::string answer(const wire::Query &query, Viewer viewer) const {
        return events_.page(query, std::move(viewer));
    }

  private:
    using Rows = std::vector<wire::HistoryRow>;

    std::optional<wire::HistoryRow> row_of(const Happening &happening,
                                           const config::Config &config) const;
    std::optional<wire::HistoryRow> end_of(const Happening &happening) const;
    Rows rows_of(const std::vector<Happening> &happenings, const View &view,
                 const config::Config &config);
    void note(const wire::HistoryRow &row);
    void write(const std::vector<std::string> &lines, std::size_t highest_bytes);

    const std::string path_;
    HistoryFile file_;
    EventList events_;
    std::map<JobNumber, wire::HistoryRow> open_; // the last row of each run that has not ended
    bool fails_ = false;                         // to write
    common::LogLimit complaints_;
};

} // namespace vmall::sched

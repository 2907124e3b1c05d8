// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job's AdminComment says of it, in slurmctld and in the records of sacct: "vmall:
// class=short mpl=4 folds=1 useful=55%".
#pragma once

#include "common/job_class.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace vmall::common {

struct Note {
    JobClass job_class = JobClass::short_job;
    int mpl = 1;
    std::uint64_t folds = 0;
    std::optional<int> useful_percent; // of the time of its ranks, unfolded
};

// Whether the note has to be written again: a share changes a little all the time.
bool says_otherwise(const Note &note, const Note &written);

// The last of a comment, if it has one.
std::optional<Note> note_in(const std::string &comment);

// The comment with our note. One that is there is replaced; else it is put behind what the site
// wrote, after "; ". Not a character of the site's changes.
std::string with_note(const std::string &comment, const Note &note);

} // namespace vmall::common

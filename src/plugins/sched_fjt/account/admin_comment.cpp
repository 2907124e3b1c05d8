// SPDX-License-Identifier: GPL-2.0-or-later
//
// The note is found by its form.
#include "plugins/sched_fjt/account/admin_comment.hpp"

#include "common/job_class.hpp"

#include <cstdio>

namespace vmall::sched {

namespace {

// Of the note that the text begins with; 0 if it begins with none.
int note_length(const char *text) {
    char job_class[8] = "";
    int length = 0;
    std::sscanf(text, "vmall: class=%7[a-z] mpl=%*[0-9] folds=%*[0-9]%n", job_class, &length);
    return common::job_class_named(job_class) ? length : 0;
}

} // namespace

std::string with_note(const std::string &comment, policy::JobClass job_class, int mpl,
                      std::uint64_t folds) {
    const std::string note = std::string("vmall: class=") + name_of(job_class) +
                             " mpl=" + std::to_string(mpl) + " folds=" + std::to_string(folds);
    for (auto at = comment.find("vmall:"); at != std::string::npos;
         at = comment.find("vmall:", at + 1))
        if (const int length = note_length(comment.c_str() + at))
            return std::string(comment).replace(at, static_cast<std::size_t>(length), note);
    return comment.empty() ? note : comment + "; " + note;
}

} // namespace vmall::sched

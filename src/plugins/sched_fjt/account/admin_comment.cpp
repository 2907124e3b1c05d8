// SPDX-License-Identifier: GPL-2.0-or-later
//
// The note is found by its form.
#include "plugins/sched_fjt/account/admin_comment.hpp"

#include "common/job_class.hpp"

#include <cstdio>
#include <cstdlib>

namespace vmall::sched {

namespace {

constexpr int little = 5; // percent

// Of the note that the text begins with; 0 if it begins with none.
std::size_t note_length(const char *text) {
    char job_class[8] = "";
    int length = 0, useful = 0;
    std::sscanf(text, "vmall: class=%7[a-z] mpl=%*[0-9] folds=%*[0-9]%n useful=%*[0-9]%%%n",
                job_class, &length, &useful);
    if (!common::job_class_named(job_class))
        return 0;
    return static_cast<std::size_t>(useful ? useful : length);
}

std::string text_of(const Note &note) {
    std::string text = std::string("vmall: class=") + name_of(note.job_class) +
                       " mpl=" + std::to_string(note.mpl) + " folds=" + std::to_string(note.folds);
    if (note.useful_percent)
        text += " useful=" + std::to_string(*note.useful_percent) + "%";
    return text;
}

} // namespace

bool says_otherwise(const Note &note, const Note &written) {
    return note.job_class != written.job_class || note.mpl != written.mpl ||
           note.folds != written.folds ||
           note.useful_percent.has_value() != written.useful_percent.has_value() ||
           std::abs(note.useful_percent.value_or(0) - written.useful_percent.value_or(0)) > little;
}

std::string with_note(const std::string &comment, const Note &note) {
    for (auto at = comment.find("vmall:"); at != std::string::npos;
         at = comment.find("vmall:", at + 1))
        if (const std::size_t length = note_length(comment.c_str() + at))
            return std::string(comment).replace(at, length, text_of(note));
    return comment.empty() ? text_of(note) : comment + "; " + text_of(note);
}

} // namespace vmall::sched

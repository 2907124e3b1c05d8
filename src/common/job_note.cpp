// SPDX-License-Identifier: GPL-2.0-or-later
//
// The note is found by its form.
#include "common/job_note.hpp"

#include <cstdio>
#include <cstdlib>

namespace vmall::common {

namespace {

constexpr int little = 5; // percent

struct Found {
    Note note;
    std::size_t length = 0;
};

// The note that the text begins with.
std::optional<Found> found_at(const char *text) {
    char job_class[8] = "";
    Found found;
    int length = 0, with_share = 0, useful = 0;
    unsigned long long folds = 0;
    std::sscanf(text, "vmall: class=%7[a-z] mpl=%9d folds=%19llu%n useful=%3d%%%n", job_class,
                &found.note.mpl, &folds, &length, &useful, &with_share);
    const auto known_class = job_class_named(job_class);
    if (!known_class || length == 0 || found.note.mpl < 1)
        return std::nullopt;
    found.note.job_class = *known_class;
    found.note.folds = folds;
    if (with_share > 0 && useful >= 1 && useful <= 100)
        found.note.useful_percent = useful;
    found.length = static_cast<std::size_t>(with_share > 0 ? with_share : length);
    return found;
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

std::optional<Note> note_in(const std::string &comment) {
    std::optional<Note> last;
    for (auto at = comment.find("vmall:"); at != std::string::npos;
         at = comment.find("vmall:", at + 1))
        if (const auto found = found_at(comment.c_str() + at))
            last = found->note;
    return last;
}

std::string with_note(const std::string &comment, const Note &note) {
    for (auto at = comment.find("vmall:"); at != std::string::npos;
         at = comment.find("vmall:", at + 1))
        if (const auto found = found_at(comment.c_str() + at))
            return std::string(comment).replace(at, found->length, text_of(note));
    return comment.empty() ? text_of(note) : comment + "; " + text_of(note);
}

} // namespace vmall::common

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which field of a line of sacct is what.
#include "sim/trace/sacct_columns.hpp"

#include "common/split.hpp"
#include "config/number.hpp"
#include "sim/trace/sacct.hpp"
#include "sim/trace/text.hpp"
#include "sim/trace/trace_error.hpp"

#include <algorithm>
#include <initializer_list>

namespace vmall::sim {

const char *const sacct_command =
    "SLURM_TIME_FORMAT=%s sacct --allusers --allocations --duplicates --parsable2 "
    "--starttime=YYYY-MM-DD --endtime=YYYY-MM-DD "
    "--format=JobIDRaw,User,Account,Partition,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,"
    "AllocCPUS,State,AdminComment,ReqMem > dump.txt";

namespace {

constexpr char separator = '|';

// As sacct spells them, in the order of SacctColumn.
constexpr const char *names[] = {
    "JobIDRaw",   "JobID",   "Submit",       "Eligible",  "Start",     "End",
    "ElapsedRaw", "Elapsed", "TimelimitRaw", "Timelimit", "AllocCPUS", "NCPUS",
    "ReqCPUS",    "State",   "User",         "Partition", "Account",   "AdminComment",
    "ReqMem",     "NNodes",  "MaxRSS",       "NTasks"};

static_assert(std::size(names) == static_cast<std::size_t>(SacctColumn::count));

// What users can write a separator into; Constraints has it as "or".
constexpr const char *free_text[] = {"JobName", "Comment",      "AdminComment", "SystemComment",
                                     "WorkDir", "SubmitLine",   "Constraints",  "Reason",
                                     "WCKey",   "FailedReason", "Extra",        "Container"};

bool same(std::string_view a, std::string_view b) {
    return config::lower_case(a) == config::lower_case(b);
}

[[noreturn]] void missing(const std::string &what) {
    throw BadLine{"there is no column " + what + "; write the file with: " + sacct_command};
}

} // namespace

const char *SacctColumns::name(SacctColumn column) {
    return names[index(column)];
}

SacctColumns::SacctColumns(std::string_view header) {
    const std::vector<std::string_view> titles = common::split(header, separator);
    count_ = titles.size();
    if (!is_sacct_header(header))
        throw BadLine{config::quoted(header) +
                      " is not the line of column names of sacct "
                      "--parsable2; write the file with: " +
                      sacct_command};
    for (std::size_t place = 0; place < titles.size(); ++place) {
        const auto is_title = [&](const char *name) { return same(titles[place], name); };
        const auto known = std::find_if(std::begin(names), std::end(names), is_title);
        if (known != std::end(names)) {
            auto &slot = place_[static_cast<std::size_t>(known - std::begin(names))];
            if (slot)
                throw BadLine{"there are two columns " + std::string(*known)};
            slot = place;
        }
        if (std::any_of(std::begin(free_text), std::end(free_text), is_title)) {
            free_text_.push_back(place);
            free_text_names_ += (free_text_names_.empty() ? "" : ", ") + std::string(titles[place]);
        }
    }
    if (!has(SacctColumn::job_id_raw) && !has(SacctColumn::job_id))
        missing("JobIDRaw or JobID");
    if (!has(SacctColumn::submit))
        missing("Submit");
    if (!has(SacctColumn::state))
        missing("State");
    if (!has(SacctColumn::elapsed_raw) && !has(SacctColumn::elapsed) &&
        !(has(SacctColumn::start) && has(SacctColumn::end)))
        missing("ElapsedRaw, Elapsed, or Start and End");
    if (!has(SacctColumn::alloc_cpus) && !has(SacctColumn::n_cpus) && !has(SacctColumn::req_cpus))
        missing("AllocCPUS, NCPUS or ReqCPUS");
}

std::vector<std::string_view> SacctColumns::split_line(std::string_view line) const {
    std::vector<std::string_view> fields = common::split(line, separator);
    if (fields.size() == count_)
        return fields;
    const std::string wrong = std::to_string(fields.size()) + " fields instead of the " +
                              std::to_string(count_) + " of the header";
    if (fields.size() < count_)
        throw BadLine{wrong};
    if (free_text_.size() != 1)
        throw BadLine{wrong + (free_text_.empty()
                                   ? ""
                                   : "; leave out columns that may have a | in them (" +
                                         free_text_names_ + ")")};
    const auto first = fields.begin() + static_cast<std::ptrdiff_t>(free_text_.front());
    const auto last = first + static_cast<std::ptrdiff_t>(fields.size() - count_);
    const char *end = last->data() + last->size();
    *first = {first->data(), static_cast<std::size_t>(end - first->data())};
    fields.erase(first + 1, last + 1);
    return fields;
}

bool names_sacct_jobs(std::string_view line) {
    const std::vector<std::string_view> titles = common::split(line, separator);
    const auto has = [&](const char *name) {
        return std::any_of(titles.begin(), titles.end(),
                           [&](auto title) { return same(title, name); });
    };
    return (has("JobIDRaw") || has("JobID")) && has("Submit") && has("State");
}

bool is_sacct_header(std::string_view line) {
    const std::vector<std::string_view> titles = common::split(line, separator);
    return titles.size() > 1 && std::any_of(titles.begin(), titles.end(), [](auto title) {
               return std::any_of(std::begin(names), std::end(names),
                                  [&](const char *name) { return same(title, name); });
           });
}

} // namespace vmall::sim

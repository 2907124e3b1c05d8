// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which field of a line of sacct is what.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vmall::sim {

enum class SacctColumn {
    job_id_raw,
    job_id,
    submit,
    eligible,
    start,
    end,
    elapsed_raw,
    elapsed,
    time_limit_raw,
    time_limit,
    alloc_cpus,
    n_cpus,
    req_cpus,
    state,
    user,
    partition,
    account,
    admin_comment,
    req_mem,
    n_nodes,
    max_rss,
    n_tasks,
    count
};

class SacctColumns {
  public:
    // Of the header line. Throws BadLine if a column that is needed is missing or one is there
    // twice.
    explicit SacctColumns(std::string_view header);

    bool has(SacctColumn column) const { return place_[index(column)].has_value(); }

    // The fields of a line. If there is exactly one column of free text (job name, comment …), it
    // may have separators in it. Throws BadLine if the number of fields is wrong.
    std::vector<std::string_view> split_line(std::string_view line) const;

    // Empty if there is no such column.
    std::string_view get(const std::vector<std::string_view> &fields, SacctColumn column) const {
        return has(column) ? fields[*place_[index(column)]] : std::string_view();
    }

    static const char *name(SacctColumn column);

  private:
    static std::size_t index(SacctColumn column) { return static_cast<std::size_t>(column); }

    std::array<std::optional<std::size_t>, static_cast<std::size_t>(SacctColumn::count)> place_;
    std::vector<std::size_t> free_text_; // places of columns of free text
    std::string free_text_names_;
    std::size_t count_ = 0;
};

} // namespace vmall::sim

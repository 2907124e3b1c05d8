// SPDX-License-Identifier: GPL-2.0-or-later
//
// A policy is put together from pieces: a queue discipline, a sizing policy, a window policy. Of
// each kind there is a table with one row per piece (policies.cpp), from which vmall.conf's values,
// its manual and its example, and vmsim are served. A program that has pieces of its own, such as
// one that repeats papers, makes rows of its own for them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vmall::policy {

class Discipline;
class ExpiryPolicy;
class SizingPolicy;

template <typename Piece>
struct Row {
    const char *name; // in vmall.conf, in lower case
    const char *help; // one line
    std::unique_ptr<Piece> (*make)();
    const char *only_simulated = nullptr; // why sched/fjt cannot have it; null: it can
};

// The pieces that vmall.conf and vmsim know, in the order in which they are to be shown.
template <typename Piece>
const std::vector<Row<Piece>> &rows();
template <>
const std::vector<Row<Discipline>> &rows<Discipline>();
template <>
const std::vector<Row<SizingPolicy>> &rows<SizingPolicy>();
template <>
const std::vector<Row<ExpiryPolicy>> &rows<ExpiryPolicy>();

// Throws std::invalid_argument if there is none of this name.
template <typename Piece>
const Row<Piece> &row(std::string_view name) {
    for (const auto &one : rows<Piece>())
        if (name == one.name)
            return one;
    throw std::invalid_argument("no piece is called \"" + std::string(name) + '"');
}

// The piece that was chosen, by the name of its row or as a row, which must stay.
template <typename Piece>
class Chosen {
  public:
    Chosen(const char *name) : chosen_(&row<Piece>(name)) {}
    Chosen(const Row<Piece> &row) : chosen_(&row) {}
    Chosen(Row<Piece> &&) = delete;

    const Row<Piece> *operator->() const { return chosen_; }

    friend bool operator==(Chosen left, Chosen right) { return left.chosen_ == right.chosen_; }
    friend bool operator!=(Chosen left, Chosen right) { return left.chosen_ != right.chosen_; }

  private:
    const Row<Piece> *chosen_;
};

using QueueDiscipline = Chosen<Discipline>;
using Sizing = Chosen<SizingPolicy>;
using WindowPolicy = Chosen<ExpiryPolicy>;

} // namespace vmall::policy

// SPDX-License-Identifier: GPL-2.0-or-later
//
// A number that bounds what may be done to one job, which may differ by class, Slurm partition,
// QOS, account and user.
#pragma once

#include "policy/model.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vmall::config {

// Of a job, what limits go by.
struct Standing {
    policy::JobClass job_class = policy::JobClass::short_job;
    std::string partition;
    std::string qos;     // empty: none
    std::string account; // empty: none
    std::optional<std::uint32_t> user_id = {};
};

class Limit {
  public:
    explicit Limit(int general) : default_(general), general_(general) {}

    // `NUMBER`, `KIND/NAME:NUMBER` or several of these, separated by commas; KIND is class,
    // partition, qos, account or user, which is a name of this machine or a uid. The number without
    // a kind is for jobs that nothing else names; if it is not given it is the one of the
    // constructor. `number` reads one or throws. Throws std::runtime_error.
    void set(const std::string &text, int (*number)(const std::string &));

    // Of the numbers that name the job, or else of the general one.
    int lowest_for(const Standing &job) const;
    int highest_for(const Standing &job) const;
    int general() const { return general_; }
    int highest() const; // of all
    // Some number names a class.
    bool goes_by_class() const;
    // Of what has a number of its own, as KIND/NAME: users of this machine by their uid.
    std::vector<std::string> names() const;

    friend bool operator==(const Limit &a, const Limit &b) {
        return a.general_ == b.general_ && a.special_ == b.special_;
    }

  private:
    template <typename Better>
    int best_for(const Standing &job, Better better) const;

    int default_;
    int general_;
    std::map<std::string, int> special_; // by KIND/NAME
};

} // namespace vmall::config

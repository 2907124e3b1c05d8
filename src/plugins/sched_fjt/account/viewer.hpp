// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whose jobs somebody who asks may see.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <sys/types.h>
#include <utility>

namespace vmall::sched {

class Viewer {
  public:
    using Coordinates = std::function<bool(const std::string &account)>;

    // Sees the jobs of everybody.
    Viewer() : sees_everybody_(true) {}
    // Sees his own, and those of the accounts that he coordinates.
    Viewer(uid_t user, Coordinates coordinates)
        : user_(user), coordinates_(std::move(coordinates)) {}

    bool sees_everybody() const { return sees_everybody_; }
    bool sees(uid_t owner, const std::string &account) {
        return sees_everybody_ || owner == user_ || coordinates(account);
    }

  private:
    // Asked once for each account: a list may be long.
    bool coordinates(const std::string &account) {
        const auto known = known_.find(account);
        return known != known_.end() ? known->second
                                     : known_.emplace(account, coordinates_(account)).first->second;
    }

    bool sees_everybody_ = false;
    uid_t user_ = 0;
    Coordinates coordinates_;
    std::map<std::string, bool> known_;
};

} // namespace vmall::sched

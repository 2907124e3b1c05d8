// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks again and again, beside a view that never waits.
#pragma once

#include "tools/vmctl/top/observation.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace vmall::vmctl::top {

struct Answer {
    std::string controller; // who was asked; empty: not known yet
    std::optional<Observation> seen;
    std::string problem; // why nothing was seen
};

// Asks on a thread of its own. The thread ends with the process: a question may be under way that
// nobody will answer.
class Asker {
  public:
    // The first question at once, then one each `interval` after the answer. `find` says whom to
    // ask, until it does so without throwing.
    Asker(std::function<Source()> find, std::chrono::milliseconds interval);

    int descriptor() const;       // readable: there is an answer; throws nothing
    std::optional<Answer> take(); // the newest, once

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

} // namespace vmall::vmctl::top

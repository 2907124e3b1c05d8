// SPDX-License-Identifier: GPL-2.0-or-later
//
// Has slurmdbd number the records that resizes begin (slurmglue/accounting.h), in a thread of its
// own because that waits for the network.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace vmall::sched {

class RecordKeeper {
  public:
    // `done` is called after each try, from the thread.
    explicit RecordKeeper(std::function<void()> done);
    RecordKeeper(const RecordKeeper &) = delete;
    RecordKeeper &operator=(const RecordKeeper &) = delete;
    ~RecordKeeper(); // ends the thread

    // Some job cannot be resized until its record has a number. There is one try in a second.
    void ask();

  private:
    void run();

    const std::function<void()> done_;
    std::mutex mutex_;
    std::condition_variable condition_;
    bool asked_ = false;
    bool stop_ = false;
    std::thread thread_;
};

} // namespace vmall::sched

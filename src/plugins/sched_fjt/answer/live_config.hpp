// SPDX-License-Identifier: GPL-2.0-or-later
//
// The settings that hold now: vmall.conf, and what operators changed since it was read.
#pragma once

#include "config/config.hpp"
#include "wire/query.hpp"

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vmall::sched {

// Any thread may call any function.
class LiveConfig {
  public:
    // Reads the file, and puts what it says into `last_read`, as lines. If it cannot be read, the
    // settings are those that are there, and complaint() says why; without any, throws
    // config::ConfigError.
    LiveConfig(std::string path, std::optional<std::string> &last_read);

    const std::string &path() const { return path_; }
    const std::string &complaint() const { return complaint_; }
    config::Config get() const;
    // Every key, in the order of the manual.
    std::vector<wire::SettingRow> rows() const;
    // All of them or, with a config::ConfigError, none.
    void change(const std::vector<wire::Setting> &settings);
    // Takes back what was changed. If the file cannot be read, throws config::ConfigError and
    // leaves everything as it is.
    void read_again();

  private:
    const std::string path_;
    std::optional<std::string> &last_read_;
    std::string complaint_;
    mutable std::mutex mutex_;
    config::Config config_;
    std::set<std::string> changed_; // keys
};

} // namespace vmall::sched

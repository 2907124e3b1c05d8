// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmall.conf with changes.
#include "plugins/sched_fjt/answer/live_config.hpp"

#include "config/keys.hpp"

#include <utility>

namespace vmall::sched {

namespace {

config::Config read(const std::string &path, std::optional<std::string> &last_read,
                    std::string &complaint) {
    try {
        config::Config fresh = config::load(path);
        last_read = config::as_lines(fresh);
        return fresh;
    } catch (const config::ConfigError &error) {
        if (!last_read)
            throw;
        complaint = error.what();
    }
    return config::parse(*last_read, path);
}

} // namespace

LiveConfig::LiveConfig(std::string path, std::optional<std::string> &last_read)
    : path_(std::move(path)), last_read_(last_read), config_(read(path_, last_read_, complaint_)) {}

config::Config LiveConfig::get() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return config_;
}

std::vector<wire::SettingRow> LiveConfig::rows() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    std::vector<wire::SettingRow> rows;
    for (const config::Value &value : config::values(config_)) {
        const char *from = changed_.count(value.key.name) ? "vmctl" : "vmall.conf";
        rows.push_back({value.key.name, value.text, value.is_default ? "default" : from});
    }
    return rows;
}

void LiveConfig::change(const std::vector<wire::Setting> &settings) {
    const std::lock_guard<std::mutex> guard(mutex_);
    config::Config config = config_;
    std::set<std::string> changed = changed_;
    for (const wire::Setting &setting : settings)
        changed.insert(config::change(config, setting.key, setting.value));
    config_ = std::move(config);
    changed_ = std::move(changed);
}

void LiveConfig::read_again() {
    config::Config fresh = config::load(path_);
    const std::lock_guard<std::mutex> guard(mutex_);
    last_read_ = config::as_lines(fresh);
    config_ = std::move(fresh);
    changed_.clear();
}

} // namespace vmall::sched

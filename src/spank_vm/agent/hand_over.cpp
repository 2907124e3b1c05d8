// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which boot it was stands in the file, since the runtime directory may outlive it.
#include "spank_vm/agent/hand_over.hpp"

#include "common/files.hpp"
#include "wire/hand_over_json.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::agent {

namespace {

using wire::HandOver;

constexpr std::size_t longest_file = 4096;

} // namespace

HandOverPrice::HandOverPrice(const std::string &runtime_dir, std::string boot, Measure measure,
                             std::chrono::milliseconds until_next_try)
    : file_(runtime_dir + "/hand_over"), boot_(std::move(boot)), measure_(std::move(measure)),
      until_next_try_(until_next_try), thread_([this] { run(); }) {}

HandOverPrice::~HandOverPrice() {
    stopping_.begin();
    thread_.join();
}

std::optional<HandOver> HandOverPrice::known() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return known_;
}

void HandOverPrice::run() noexcept {
    try {
        if (const auto saved = saved_hand_over(file_, boot_))
            return note(*saved);
    } catch (const std::exception &error) {
        slurm_info("the node agent measures again what a hand-over costs: %s", error.what());
    }
    try {
        while (!find_out() && !stopping_.wait_for(until_next_try_)) {
        }
    } catch (const std::exception &error) {
        slurm_error("the node agent cannot measure what a hand-over costs: %s", error.what());
    }
}

bool HandOverPrice::find_out() {
    const std::optional<double> ns = measure_();
    if (!ns)
        return false;
    const auto in_range = std::clamp<double>(*ns, 1, wire::highest_hand_over_ns);
    const HandOver hand_over{static_cast<std::uint32_t>(std::lround(in_range)), std::time(nullptr)};
    slurm_info("the node agent has measured that a hand-over takes %.1f us", *ns / 1000);
    note(hand_over);
    save_hand_over(file_, boot_, hand_over);
    return true;
}

void HandOverPrice::note(const HandOver &hand_over) {
    const std::lock_guard<std::mutex> lock(mutex_);
    known_ = hand_over;
}

std::string name_of_boot() {
    std::string name;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> name;
    return name;
}

std::optional<HandOver> saved_hand_over(const std::string &file, const std::string &boot) {
    const std::optional<std::string> text = common::read_file(file, longest_file);
    if (!text)
        return std::nullopt;
    const wire::Json saved = wire::parse_message(*text);
    const wire::Json &content = wire::unwrap(saved, "hand_over");
    const HandOver hand_over = wire::read_hand_over(content);
    if (wire::Fields(content, "hand_over").text("boot") != boot)
        return std::nullopt;
    return hand_over;
}

void save_hand_over(const std::string &file, const std::string &boot, const HandOver &hand_over) {
    wire::Json content = wire::to_json(hand_over);
    content["boot"] = boot;
    common::replace_file(file, wire::wrap("hand_over", std::move(content)), 0600,
                         common::Survives::crash_of_ours);
}

} // namespace vmall::agent

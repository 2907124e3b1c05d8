// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmall.conf, and what operators change of it: a line "Key=value" is a change, too.
#include "config/config.hpp"
#include "target.hpp"

#include <algorithm>

namespace vmall::fuzz {

namespace {

config::Config parsed_for_slurm(const std::string &text) {
    return config::parse(text, "vmall.conf");
}

} // namespace

void decode(const std::string &input) {
    try {
        expect_round_trip(input, parsed_for_slurm, config::as_lines);
    } catch (const config::ConfigError &) {
    }
    try {
        config::parse(input, "vmall.conf", config::User::vmsim);
    } catch (const config::ConfigError &) {
    }
    config::Config config;
    const std::size_t equals = std::min(input.find('='), input.size());
    try {
        config::change(config, input.substr(0, equals),
                       input.substr(std::min(equals + 1, input.size())));
        config::Config same = parsed_for_slurm(config::as_lines(config));
        expect(same.texts == config.texts, "a change is what a line of the file would set");
    } catch (const config::ConfigError &) {
        expect(config.texts.empty(), "a change that is refused changes nothing");
    }
}

} // namespace vmall::fuzz

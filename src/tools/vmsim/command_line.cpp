// SPDX-License-Identifier: GPL-2.0-or-later
//
// Subcommands and options: what vmsim and vmlab need of CLI11.
#include "tools/vmsim/command_line.hpp"

#include "tools/usage.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <utility>

namespace vmall::vmsim {

namespace {

constexpr int exit_usage = 2;

int complain(const std::string &problem, int exit_status) {
    std::cerr << program_invocation_short_name << ": error: " << problem << "\n";
    return exit_status;
}

} // namespace

Option Option::check(const Check &check) const {
    cli_->check(CLI::Validator(
        [problem = check.problem](std::string &text) { return problem(text); }, check.accepted));
    return *this;
}

Option Option::one_of(const std::vector<std::string> &values) const {
    cli_->check(CLI::IsMember(values));
    return *this;
}

Option Option::type_name(const std::string &name) const {
    cli_->type_name(name);
    return *this;
}

Option Option::group(const std::string &name) const {
    cli_->group(name);
    return *this;
}

Option Option::delimiter(char delimiter) const {
    cli_->delimiter(delimiter);
    return *this;
}

Option Option::required() const {
    cli_->required();
    return *this;
}

Option Option::capture_default_str() const {
    cli_->capture_default_str();
    return *this;
}

Option Option::needs(Option other) const {
    cli_->needs(other.cli_);
    return *this;
}

Option Option::excludes(Option other) const {
    cli_->excludes(other.cli_);
    return *this;
}

Command Command::add_subcommand(const std::string &name, const std::string &help) const {
    return Command(*cli_->add_subcommand(name, help));
}

template <class Value>
Option Command::add_option(const std::string &name, Value &value, const std::string &help) const {
    return Option(*cli_->add_option(name, value, help));
}

template Option Command::add_option(const std::string &, int &, const std::string &) const;
template Option Command::add_option(const std::string &, double &, const std::string &) const;
template Option Command::add_option(const std::string &, std::int64_t &, const std::string &) const;
template Option Command::add_option(const std::string &, std::uint64_t &,
                                    const std::string &) const;
template Option Command::add_option(const std::string &, std::string &, const std::string &) const;
template Option Command::add_option(const std::string &, std::filesystem::path &,
                                    const std::string &) const;
template Option Command::add_option(const std::string &, std::vector<std::string> &,
                                    const std::string &) const;

Option Command::add_flag(const std::string &name, bool &value, const std::string &help) const {
    return Option(*cli_->add_flag(name, value, help));
}

void Command::footer(const std::string &text) const {
    cli_->footer(text);
}

void Command::callback(std::function<void()> run) const {
    cli_->callback(std::move(run));
}

Program::Program(const std::string &name, const std::string &help, const std::string &version)
    : cli_(std::make_unique<CLI::App>(help, name)) {
    cli_->set_version_flag("--version", version);
    cli_->require_subcommand(1);
}

Program::~Program() = default;

Command Program::command() const {
    return Command(*cli_);
}

void Program::parse(int argc, const char *const *argv) {
    try {
        cli_->parse(argc, argv);
    } catch (const CLI::Success &help) {
        cli_->exit(help);
    } catch (const CLI::ParseError &error) {
        throw UsageError(tools::usage_problem(*cli_, error));
    }
}

int Program::run(int argc, const char *const *argv, const int &exit_status) {
    try {
        parse(argc, argv);
    } catch (const UsageError &error) {
        return complain(error.what(), exit_usage);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
    std::cout.flush();
    return std::cout ? exit_status : complain("cannot write the answer", EXIT_FAILURE);
}

} // namespace vmall::vmsim

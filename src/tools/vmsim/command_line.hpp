// SPDX-License-Identifier: GPL-2.0-or-later
//
// Subcommands and options: what vmsim and vmlab need of CLI11, under CLI11's names. To compile its
// headers takes longer than all the rest of a program, so that one file sees them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace vmall::vmsim {

// Which values an option accepts.
struct Check {
    std::function<std::string(const std::string &)> problem; // with a value, in words; none: empty
    std::string accepted;                                    // for --help
};

class Option {
  public:
    explicit Option(CLI::Option &cli) : cli_(&cli) {}
    Option check(const Check &check) const;
    Option one_of(const std::vector<std::string> &values) const;
    Option type_name(const std::string &name) const;
    Option group(const std::string &name) const;
    Option delimiter(char delimiter) const;
    Option required() const;
    Option capture_default_str() const; // the value that it has now is in --help
    Option needs(Option other) const;
    Option excludes(Option other) const;

  private:
    CLI::Option *cli_;
};

class Command {
  public:
    explicit Command(CLI::App &cli) : cli_(&cli) {}
    Command add_subcommand(const std::string &name, const std::string &help) const;
    // The value is changed when the arguments are parsed. For the types that command_line.cpp
    // lists.
    template <class Value>
    Option add_option(const std::string &name, Value &value, const std::string &help) const;
    Option add_flag(const std::string &name, bool &value, const std::string &help) const;
    void footer(const std::string &text) const;
    void callback(std::function<void()> run) const; // once all arguments are parsed

  private:
    CLI::App *cli_;
};

// A program of subcommands, one of which must be given.
class Program {
  public:
    Program(const std::string &name, const std::string &help, const std::string &version);
    ~Program();
    Command command() const;

    // Calls the callback of the subcommand that was given, or prints what --help or --version asks
    // for, and says what is wrong. Returns the exit status: the one that the callback left, unless
    // something is.
    int run(int argc, const char *const *argv, const int &exit_status);

  private:
    void parse(int argc, const char *const *argv);

    std::unique_ptr<CLI::App> cli_;
};

} // namespace vmall::vmsim

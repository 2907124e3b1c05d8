// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds, reads and parses vmall.conf.
#include "config/config.hpp"
#include "common/files.hpp"
#include "common/split.hpp"
#include "config/keys.hpp"
#include "config/number.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace vmall::config {

namespace {

constexpr std::size_t largest_file = 64 * 1024;

std::string_view trimmed(std::string_view text) {
    constexpr const char *blank = " \t\r";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

[[noreturn]] void fail(const std::string &path, const std::string &reason) {
    throw ConfigError(path + ": " + reason);
}

std::string read_conf(const std::string &path) {
    // O_NONBLOCK: a FIFO in the file's place must not block slurmctld.
    const common::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status = {};
    if (!file && errno == ENOENT)
        fail(path, std::strerror(errno) + std::string(" (it may be empty, but must be there)"));
    if (!file || fstat(file.get(), &status) < 0)
        fail(path, std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        fail(path, "not a regular file");
    if (status.st_mode & S_IWOTH)
        fail(path, "writable by everyone");
    try {
        return common::read_whole(file, path, largest_file);
    } catch (const std::system_error &error) {
        fail(path, error.code() == std::errc::file_too_large
                       ? "larger than " + std::to_string(largest_file) + " bytes"
                       : error.code().message());
    }
}

const Key *find_key(std::string_view name) {
    for (const Key &key : keys())
        if (lower_case(key.name) == lower_case(name))
            return &key;
    return nullptr;
}

std::string why_unknown(std::string_view name) {
    const char *key = instead_of(std::string(name));
    return quoted(name) + (key ? std::string(": is not there any more; ") + key +
                                     " is in its place (man vmall.conf)"
                               : ": unknown key");
}

// Sets a key to a value, or throws std::runtime_error that begins with the key.
void set(Config &config, const Key &key, const std::string &value, User user) {
    const std::string shown = std::string(key.name) + ": ";
    if (value.empty())
        throw std::runtime_error(shown + "has no value");
    try {
        key.set(config, value);
    } catch (const std::runtime_error &error) {
        throw std::runtime_error(shown + error.what());
    }
    if (const char *why = only_simulated(config.policy); why && user == User::slurm)
        throw std::runtime_error(shown + quoted(value) + " is for vmsim only: " + why);
    config.texts[key.name] = value;
}

bool is_printable(const std::string &text) {
    return std::all_of(
        text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

// Applies the lines of a file one after the other.
class Parser {
  public:
    Parser(const std::string &path, User user) : path_(path), user_(user) {}

    void line(std::string_view text) {
        ++line_;
        if (text.find('\0') != std::string_view::npos)
            fail("contains a NUL byte");
        text = trimmed(text.substr(0, text.find('#')));
        if (text.empty())
            return;
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos)
            fail(quoted(text) + " is not Key=value");
        set(trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1)));
    }

    Config take() { return std::move(config_); }

  private:
    [[noreturn]] void fail(const std::string &reason) const {
        throw ConfigError(path_ + ":" + std::to_string(line_) + ": " + reason);
    }

    void set(std::string_view name, std::string_view value) {
        const Key *key = find_key(name);
        if (!key)
            fail(why_unknown(name));
        const auto [before, is_new] = set_in_line_.emplace(key, line_);
        if (!is_new)
            fail(std::string(key->name) + ": already set in line " +
                 std::to_string(before->second));
        try {
            config::set(config_, *key, std::string(value), user_);
        } catch (const std::runtime_error &error) {
            fail(error.what());
        }
    }

    const std::string &path_;
    const User user_;
    int line_ = 0;
    Config config_;
    std::map<const Key *, int> set_in_line_;
};

} // namespace

std::string beside_slurm_conf(const std::string &name) {
    if (const char *slurm_conf = std::getenv("SLURM_CONF")) {
        const std::string path = slurm_conf;
        return path.substr(0, path.rfind('/') + 1) + name;
    }
    return SYSCONFDIR "/slurm/" + name;
}

std::string default_path() {
    const char *path = std::getenv("VMALL_CONF");
    return path ? path : beside_slurm_conf("vmall.conf");
}

const char *default_vmrt_library() {
    return PKGLIBDIR "/libvmrt.so";
}

Config load(const std::string &path) {
    return parse(read_conf(path), path);
}

Config parse(const std::string &text, const std::string &path, User user) {
    Parser parser(path, user);
    for (const std::string_view line : common::split(text, '\n'))
        parser.line(line);
    return parser.take();
}

std::string as_lines(const Config &config) {
    std::string lines;
    for (const auto &[key, value] : config.texts)
        lines += key + "=" + value + "\n";
    return lines;
}

std::string change(Config &config, const std::string &name, const std::string &value) {
    const Key *key = find_key(name);
    if (!key)
        throw ConfigError(why_unknown(name));
    const std::string shown = std::string(key->name) + ": ";
    if (key->taken == Taken::at_start)
        throw ConfigError(shown + "is read only when the daemons start");
    if (!is_printable(value))
        throw ConfigError(shown + quoted(value) + " has characters that cannot be printed");
    Config changed = config;
    try {
        set(changed, *key, std::string(trimmed(value)), User::slurm);
    } catch (const std::runtime_error &error) {
        throw ConfigError(error.what());
    }
    config = std::move(changed);
    return key->name;
}

} // namespace vmall::config

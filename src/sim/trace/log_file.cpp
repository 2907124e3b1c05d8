// SPDX-License-Identifier: GPL-2.0-or-later
//
// A temporary file without a name.
#include "sim/trace/log_file.hpp"

#include "sim/trace/trace_error.hpp"

#include <array>
#include <cerrno>
#include <sys/stat.h>
#include <system_error>

namespace vmall::sim {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

[[noreturn]] void fail(const std::string &what) {
    throw TraceError(what + ": " + std::generic_category().message(errno));
}

File opened(const std::string &path, bool is_standard_input) {
    if (is_standard_input)
        return {stdin, [](std::FILE *) { return 0; }};
    File file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file)
        fail(path);
    return file;
}

// A file that is not there is not copied either, so that whoever opens it says so.
bool has_to_be_copied(const std::string &path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void copy(std::FILE *from, std::FILE *to, const std::string &name) {
    std::array<char, 1 << 16> piece;
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), from))
        if (std::fwrite(piece.data(), 1, got, to) != got)
            fail("a temporary file for " + name);
    if (std::ferror(from))
        fail(name);
    if (std::fflush(to) != 0)
        fail("a temporary file for " + name);
}

} // namespace

LogFile::LogFile(const std::string &path) : name_(path), place_(path), copy_(nullptr, std::fclose) {
    const bool is_standard_input = path == "-";
    if (is_standard_input)
        name_ = "standard input";
    else if (!has_to_be_copied(path))
        return;
    const File from = opened(path, is_standard_input);
    copy_.reset(std::tmpfile());
    if (!copy_)
        fail("a temporary file for " + name_);
    copy(from.get(), copy_.get(), name_);
    place_ = "/proc/self/fd/" + std::to_string(fileno(copy_.get()));
}

} // namespace vmall::sim

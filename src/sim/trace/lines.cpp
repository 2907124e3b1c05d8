// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines of a text file, plain or compressed with gzip.
#include "sim/trace/lines.hpp"

#include "sim/trace/trace_error.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <zlib.h>

namespace vmall::sim {

namespace {

constexpr std::size_t chunk = 1 << 14; // more makes no file faster
constexpr std::size_t longest_line = 1 << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // some editors' for UTF-8

gzFile open(const std::string &path) {
    struct stat status = {};
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        throw TraceError(path + ": is a directory");
    errno = 0;
    const gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr)
        throw TraceError(path + ": " + std::generic_category().message(errno ? errno : ENOMEM));
    gzbuffer(file, chunk);
    return file;
}

void refuse_other_compression(const std::string &path, std::string_view line) {
    struct Format {
        std::string_view begin;
        const char *program;
    };
    constexpr Format formats[] = {{"\xFD"
                                   "7zXZ",
                                   "xz"},
                                  {"\x28\xB5\x2F\xFD", "zstd"},
                                  {"BZh", "bzip2"}};
    for (const auto &[begin, program] : formats)
        if (line.substr(0, begin.size()) == begin)
            throw TraceError(path + ": is compressed; only gzip is read, so write it anew: " +
                             program + " -dc " + path + " | gzip > FILE.gz");
}

} // namespace

Lines::Lines(const std::string &path) : path_(path), file_(open(path), gzclose) {}

// Appends to the buffer; false at the end of the file.
bool Lines::fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t had = buffer_.size();
    if (had > longest_line)
        throw TraceError(at_line(path_, number_ + 1, "the line is longer than a megabyte"));
    buffer_.resize(had + chunk);
    const int got = gzread(file_.get(), &buffer_[had], chunk);
    buffer_.resize(had + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got > 0)
        return true;
    int error = Z_OK;
    const std::string message = gzerror(file_.get(), &error);
    if (error == Z_BUF_ERROR)
        throw TraceError(path_ + ": the compressed data ends early, after line " +
                         std::to_string(number_));
    if (error == Z_ERRNO)
        throw TraceError(path_ + ": " + std::generic_category().message(errno));
    if (error != Z_OK || got < 0)
        throw TraceError(path_ + ": the compressed data is damaged after line " +
                         std::to_string(number_) + ": " + message);
    return false;
}

bool Lines::next(std::string_view &line) {
    std::size_t end = buffer_.find('\n', begin_);
    for (std::size_t looked = 0; end == std::string::npos; end = buffer_.find('\n', looked)) {
        looked = buffer_.size() - begin_;
        if (fill())
            continue;
        if (buffer_.empty())
            return false;
        cut_off_ = true;
        end = buffer_.size();
        break;
    }
    line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = std::min(end + 1, buffer_.size());
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    if (number_ == 0)
        refuse_other_compression(path_, line);
    if (number_ == 0 && line.substr(0, byte_order_mark.size()) == byte_order_mark)
        line.remove_prefix(byte_order_mark.size());
    ++number_;
    return true;
}

} // namespace vmall::sim

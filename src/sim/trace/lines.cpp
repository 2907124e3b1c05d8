// SPDX-License-Identifier: GPL-2.0-or-later
//
// zlib hands what it did not compress on as it is, and so does the rest here.
#include "sim/trace/lines.hpp"

#include "sim/trace/trace_error.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <utility>
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

struct Format {
    const char *name;
    std::size_t place; // of what it is known by
    std::string_view mark;
    const char *reader; // the command that writes what is in it
};

constexpr Format unread[] = {
    {"compressed with bzip2", 0, "BZh", "bzip2 -dc"},
    {"compressed with lz4", 0, "\x04\x22\x4D\x18", "lz4 -dc"},
    {"compressed with compress", 0, "\x1F\x9D", "zcat"},
    {"an archive of zip", 0, "PK\x03\x04", "unzip -p"},
    {"an archive of tar", 257, "ustar", "tar -xOf"},
    {"in UTF-16", 0, "\xFF\xFE", "iconv -f UTF-16 -t UTF-8"}, // what PowerShell redirects
    {"in UTF-16", 0, "\xFE\xFF", "iconv -f UTF-16 -t UTF-8"},
};

void refuse_other_formats(const std::string &path, std::string_view begin) {
    for (const Format &format : unread)
        if (begin.size() > format.place &&
            begin.substr(format.place, format.mark.size()) == format.mark)
            throw TraceError(path + ": is " + format.name + ", which is not read; write it anew: " +
                             format.reader + " " + path + " | gzip > FILE.gz");
}

} // namespace

Lines::Lines(const LogFile &file) : path_(file.name()), file_(open(file.place()), gzclose) {}

std::string Lines::after_line() const {
    return " after line " + std::to_string(number_);
}

// What zlib makes of the file; 0 at its end.
std::size_t Lines::read_raw(char *to, std::size_t room) {
    const int got = gzread(file_.get(), to, static_cast<unsigned>(room));
    if (got > 0)
        return static_cast<std::size_t>(got);
    int error = Z_OK;
    const std::string message = gzerror(file_.get(), &error);
    if (error == Z_BUF_ERROR)
        throw TraceError(path_ + ": the compressed data ends early," + after_line());
    if (error == Z_ERRNO)
        throw TraceError(path_ + ": " + std::generic_category().message(errno));
    if (error != Z_OK || got < 0)
        throw TraceError(path_ + ": the compressed data is damaged" + after_line() + ": " +
                         message);
    return 0;
}

std::string_view Lines::next_raw() {
    if (std::exchange(is_raw_new_, false))
        return raw_;
    raw_.resize(chunk);
    raw_.resize(read_raw(raw_.data(), chunk));
    return raw_;
}

void Lines::begin() {
    has_begun_ = true;
    next_raw();
    is_raw_new_ = true;
    refuse_other_formats(path_, raw_);
    unpacking_ = unpacking(raw_, [this] { return next_raw(); });
}

// `room` is a chunk.
std::size_t Lines::read(char *to, std::size_t room) {
    if (!has_begun_)
        begin();
    if (!unpacking_)
        return std::exchange(is_raw_new_, false) ? raw_.copy(to, room) : read_raw(to, room);
    try {
        return unpacking_->read(to, room);
    } catch (const TraceError &) {
        throw;
    } catch (const DataEndsEarly &error) {
        throw TraceError(path_ + ": " + error.what() + "," + after_line());
    } catch (const std::runtime_error &error) {
        throw TraceError(path_ + ": the compressed data is damaged" + after_line() + ": " +
                         error.what());
    }
}

// Appends to the buffer; false at the end of the file.
bool Lines::fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t had = buffer_.size();
    if (had > longest_line)
        throw TraceError(at_line(path_, number_ + 1, "the line is longer than a megabyte"));
    buffer_.resize(had + chunk);
    buffer_.resize(had + read(&buffer_[had], chunk));
    return buffer_.size() > had;
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
    if (number_ == 0 && line.substr(0, byte_order_mark.size()) == byte_order_mark)
        line.remove_prefix(byte_order_mark.size());
    ++number_;
    return true;
}

} // namespace vmall::sim

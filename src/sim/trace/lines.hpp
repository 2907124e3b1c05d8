// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines of a text file, plain or compressed with gzip, xz or zstd.
#pragma once

#include "sim/trace/log_file.hpp"
#include "sim/trace/unpacking.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct gzFile_s;

namespace vmall::sim {

class Lines {
  public:
    // Throws TraceError if it cannot be opened.
    explicit Lines(const LogFile &file);
    Lines(const Lines &) = delete;
    Lines &operator=(const Lines &) = delete;

    // The next line without its end (LF or CR LF), valid until the next call; the first without a
    // byte-order mark. False: there is none.
    // Throws TraceError if the file cannot be read, is compressed with another program, its
    // compressed data is damaged or ends early, or a line is longer than a megabyte.
    bool next(std::string_view &line);

    const std::string &path() const { return path_; }
    std::size_t number() const { return number_; } // of the line last returned, from 1 on
    // The line last returned ended with the file instead of a line end.
    bool cut_off() const { return cut_off_; }

  private:
    bool fill();
    void begin();
    std::size_t read(char *to, std::size_t room);
    std::size_t read_raw(char *to, std::size_t room);
    std::string_view next_raw();
    std::string after_line() const;

    std::string path_;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s *)> file_;
    bool has_begun_ = false;
    std::string raw_;                      // the last that came of the file
    bool is_raw_new_ = false;              // nobody has taken it
    std::unique_ptr<Unpacking> unpacking_; // null: zlib has done it, or it is plain
    std::string buffer_;
    std::size_t begin_ = 0; // of what has not been returned, in the buffer
    std::size_t number_ = 0;
    bool cut_off_ = false;
};

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines of a text file, plain or compressed with gzip.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct gzFile_s;

namespace vmall::sim {

class Lines {
  public:
    // Throws TraceError if it cannot be opened.
    explicit Lines(const std::string &path);

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

    std::string path_;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s *)> file_;
    std::string buffer_;
    std::size_t begin_ = 0; // of what has not been returned, in the buffer
    std::size_t number_ = 0;
    bool cut_off_ = false;
};

} // namespace vmall::sim

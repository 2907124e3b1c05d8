// SPDX-License-Identifier: GPL-2.0-or-later
//
// Data compressed with xz or zstd, in any number of pieces one behind the other, as these programs
// write and read it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace vmall::sim {

// The rest of what follows is missing.
class DataEndsEarly : public std::runtime_error {
  public:
    DataEndsEarly() : std::runtime_error("the compressed data ends early") {}
};

class Unpacking {
  public:
    // More of the compressed data, valid until the next call; empty at its end.
    using More = std::function<std::string_view()>;

    virtual ~Unpacking() = default;

    // Puts up to `room` bytes there; returns how many, 0 at the end. Throws DataEndsEarly, or
    // std::runtime_error with a reason if the data is damaged.
    virtual std::size_t read(char *to, std::size_t room) = 0;
};

// For data that begins so; `more` brings the first bytes again. Null if it is not compressed so.
std::unique_ptr<Unpacking> unpacking(std::string_view begin, Unpacking::More more);

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers that are lists, in pages: a list may be longer than a message.
#pragma once

#include "wire/fields.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace vmall::wire {

// On one line. Bytes that are not UTF-8 become U+FFFD.
inline std::string text_of(const Json &json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The text of an answer that is a list, as long as it has room.
class PageText {
  public:
    PageText(const char *name, std::size_t highest_bytes)
        : text_("{\"" + std::string(name) + "\":["), highest_bytes_(highest_bytes - longest_end) {}
    // For a row and what is between two.
    std::size_t room() const { return highest_bytes_ - std::min(highest_bytes_, text_.size() + 1); }
    void add(const std::string &row) {
        text_ += (is_empty_ ? "" : ",") + row;
        is_empty_ = false;
    }
    std::string end() const { return text_ + "]}"; }
    std::string end_before(const Json &next) const {
        return text_ + "],\"next\":" + text_of(next) + "}";
    }

  private:
    static constexpr std::size_t longest_end = 64;
    std::string text_;
    std::size_t highest_bytes_;
    bool is_empty_ = true;
};

} // namespace vmall::wire

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads fields of JSON messages that may come from anybody.
#pragma once

#include "wire/messages.hpp"
#include "wire/seal.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vmall::wire {

using Json = nlohmann::ordered_json;

// The JSON text of {name: content}. Bytes that are not UTF-8 become U+FFFD.
std::string wrap(const char *name, Json content);

// Parses text that is at most so long, nested not absurdly deep, and an object, none of whose
// objects has absurdly many keys. The time that this takes grows with the length only.
Json parse_message(const std::string &text, std::size_t highest_bytes = highest_payload_bytes);

// What stands under `name` in a parsed message.
const Json &unwrap(const Json &message, const char *name);

// The fields of one JSON object. Every function throws MessageError, naming `what` and the field,
// unless the field is there, has the type and is in range. Refers to the object.
class Fields {
  public:
    Fields(const Json &object, std::string what);
    bool has(const char *name) const;
    std::uint64_t number(const char *name, std::uint64_t lowest, std::uint64_t highest) const;
    std::uint32_t number32(const char *name, std::uint32_t lowest, std::uint32_t highest) const;
    std::int64_t time(const char *name) const; // seconds since the epoch, not negative
    double real(const char *name) const;       // finite
    bool flag(const char *name) const;
    std::string text(const char *name) const;
    std::string
    node_name(const char *name) const; // 1 to highest_node_name_bytes printable characters
    const Json &list(const char *name) const;
    std::vector<std::uint32_t> core_indices(const char *name) const; // ascending; may be empty
    [[noreturn]] void fail(const char *name, const std::string &problem) const;

  private:
    const Json &at(const char *name) const;
    const Json &object_;
    std::string what_;
};

} // namespace vmall::wire

// SPDX-License-Identifier: GPL-2.0-or-later
//
// What answers that are lists are read with.
#pragma once

#include "wire/fields.hpp"
#include "wire/query_refused.hpp"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vmall::wire {

// The value among `choices` whose name the field holds.
template <typename Value>
Value choose(const Fields &fields, const char *field, std::initializer_list<Value> choices,
             const char *(*name_of)(Value)) {
    const std::string text = fields.text(field);
    for (const Value choice : choices)
        if (text == name_of(choice))
            return choice;
    fields.fail(field, "is unknown");
}

// The entries of the list that an answer consists of.
template <typename Entry>
std::vector<Entry> read_list(const std::string &json, const char *name,
                             Entry (*read)(const Json &)) {
    const Json message = parse_message(json);
    const Fields answer(message, "answer");
    if (answer.has("error"))
        throw QueryRefused(answer.text("error"));
    std::vector<Entry> entries;
    for (const Json &entry : answer.list(name))
        entries.push_back(read(entry));
    return entries;
}

} // namespace vmall::wire

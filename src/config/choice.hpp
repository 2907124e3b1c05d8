// SPDX-License-Identifier: GPL-2.0-or-later
//
// Values that are one of a few words.
#pragma once

#include "config/number.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vmall::config {

[[noreturn]] inline void refuse(const std::string &value, const std::string &accepted) {
    throw std::runtime_error(quoted(value) + " is not " + accepted);
}

// Words in lower case.
template <typename T>
using Choices = std::vector<std::pair<const char *, T>>;

// What the word means, in any case. Throws std::runtime_error that names all words.
template <typename T>
T choice(const std::string &value, const Choices<T> &choices) {
    std::string names;
    for (const auto &[name, meaning] : choices) {
        if (lower_case(value) == name)
            return meaning;
        names += names.empty() ? name : std::string(", ") + name;
    }
    refuse(value, "one of " + names);
}

// The word for one of the meanings.
template <typename T>
const char *word_for(T meaning, const Choices<T> &choices) {
    const auto found = std::find_if(choices.begin(), choices.end(),
                                    [&](const auto &one) { return one.second == meaning; });
    return found != choices.end() ? found->first : "";
}

} // namespace vmall::config

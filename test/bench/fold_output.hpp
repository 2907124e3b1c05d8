// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers in what programs print.
#pragma once

#include <stdexcept>
#include <string>

namespace vmall::bench {

// The one behind the first `word`. Throws std::runtime_error if there is none.
inline double number_after(const std::string &word, const std::string &output) {
    const std::size_t at = output.find(word);
    if (at == std::string::npos)
        throw std::runtime_error("no \"" + word + "\" in its output: " + output);
    return std::stod(output.substr(at + word.size()));
}

} // namespace vmall::bench

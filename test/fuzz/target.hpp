// SPDX-License-Identifier: GPL-2.0-or-later
//
// A target: a decoder, its samples in corpus/NAME and, where words help, dictionaries/NAME.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace vmall::fuzz {

// Each target has its own. Gives the input to the decoder, and ends the process by expect() if that
// does wrong; memory and arithmetic are the sanitizers'.
void decode(const std::string &input);

inline void expect(bool holds, const char *what) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

// What was decoded is encoded to a text that says the same. Errors of `decode` are for the caller,
// but for those of the text that we have encoded ourselves.
template <typename Decode, typename Encode>
void expect_round_trip(const std::string &input, Decode decode, Encode encode) {
    const std::string text = encode(decode(input));
    std::string again;
    try {
        again = encode(decode(text));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: %s\n", error.what(), text.c_str());
    }
    expect(again == text, "what was encoded decodes to the same");
}

} // namespace vmall::fuzz

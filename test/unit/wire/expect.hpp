// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the tests of libwire have in common.
#pragma once

#include "../limit.hpp"
#include "../run.hpp"

using vmall::test::limit;

// The text of the Error that `action` throws; "nothing was thrown" otherwise.
template <typename Error, typename Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error &error) {
        return error.what();
    }
    return "nothing was thrown";
}

inline void expect_part(const std::string &text, const std::string &part, const std::string &what) {
    ck_assert_msg(text.find(part) != std::string::npos, "%s: \"%s\" has no \"%s\"", what.c_str(),
                  text.c_str(), part.c_str());
}

inline void expect_equal(const std::string &text, const std::string &expected) {
    ck_assert_str_eq(text.c_str(), expected.c_str());
}

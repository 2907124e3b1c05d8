// SPDX-License-Identifier: GPL-2.0-or-later
//
// Running suites of Check, and catching what a call throws.
#pragma once

#include <check.h>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>

#undef fail // an old macro of Check that breaks C++ streams

// Check ends a test after so many seconds, as it reads when a test case is made. A test that waits
// gives up before that (limit.hpp).
inline const int timeout_is_set = setenv("CK_DEFAULT_TIMEOUT", "900", 1);

// All return what main() is to return.
inline int run(std::initializer_list<Suite *> suites) {
    SRunner *runner = srunner_create(nullptr);
    for (Suite *suite : suites)
        srunner_add_suite(runner, suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

inline int run(const char *name, std::initializer_list<TCase *> cases) {
    Suite *suite = suite_create(name);
    for (TCase *tests : cases)
        suite_add_tcase(suite, tests);
    return run({suite});
}

inline int run(const char *name, TCase *tests) {
    return run(name, {tests});
}

// The message of the Error that the call throws; "(accepted)" if it throws nothing.
template <typename Error, typename Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const Error &error) {
        return error.what();
    }
    return "(accepted)";
}

#define ck_assert_contains(text, part)                                                             \
    ck_assert_msg((text).find(part) != std::string::npos, "\"%s\" is not in: %s",                  \
                  std::string(part).c_str(), (text).c_str())

#define ck_assert_text(text, expected)                                                             \
    ck_assert_msg((text) == (expected), "\"%s\" is not \"%s\"", std::string(text).c_str(),         \
                  std::string(expected).c_str())

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sealing with a real munged: every threat is a test with its name.
#include "wire/seal.hpp"

#include "expect.hpp"
#include "munged.hpp"

#include <chrono>
#include <ctime>
#include <unistd.h>

using namespace vmall::wire;

namespace {

// Of all tests. Every test is a process of its own, which must not stop it at its exit.
Munged *munged;

void start_munged() {
    munged = new Munged();
}
void stop_munged() {
    delete munged;
}

Seal our_seal() {
    return Seal(munged->socket());
}

std::string refusal(const Seal &seal, const std::string &credential) {
    return error_of<ChannelError>([&] { seal.open(credential); });
}

void expect_refused(const std::string &credential, const char *why) {
    expect_part(refusal(our_seal(), credential), why, "refusal");
}

START_TEST(opens_what_was_sealed) {
    const std::string payloads[] = {"", "x", std::string("a\0b", 3),
                                    std::string(highest_payload_bytes, 'z')};
    for (const std::string &payload : payloads) {
        const Opened opened = our_seal().open(our_seal().seal(payload, getuid()));
        ck_assert_uint_eq(opened.payload.size(), payload.size());
        ck_assert(opened.payload == payload);
        ck_assert_uint_eq(opened.uid, getuid());
    }
}
END_TEST

START_TEST(says_who_sealed) {
    const std::string credential =
        as_another_user([] { return our_seal().seal("from somebody", 0); });
    ck_assert_uint_eq(our_seal().open(credential).uid, another_uid);
}
END_TEST

START_TEST(only_the_reader_opens) {
    const std::string credential = our_seal().seal("for somebody", another_uid);
    expect_equal(as_another_user([&] { return our_seal().open(credential).payload; }),
                 "for somebody");
}
END_TEST

START_TEST(wrong_uid_is_refused) {
    // Root is not exempt, which the agents' answers to SlurmUser rely on.
    expect_refused(our_seal().seal("for somebody else", getuid() + 1), "Unauthorized");
}
END_TEST

START_TEST(replayed_is_refused) {
    const std::string credential = our_seal().seal("once", getuid());
    our_seal().open(credential);
    expect_refused(credential, "Replayed");
}
END_TEST

START_TEST(tampered_is_refused) {
    const std::string credential = our_seal().seal("do not touch", getuid());
    // The last characters may hold bits that nobody reads.
    for (std::size_t at = 0; at + 6 < credential.size(); at += 3) {
        std::string tampered = credential;
        tampered[at] = tampered[at] == 'A' ? 'B' : 'A';
        ck_assert_msg(refusal(our_seal(), tampered) != "nothing was thrown",
                      "accepted with byte %zu changed", at);
    }
    expect_equal(our_seal().open(credential).payload, "do not touch");
}
END_TEST

START_TEST(forged_with_another_key_is_refused) {
    const Munged other('x');
    expect_refused(Seal(other.socket()).seal("trust me", getuid()), "Invalid credential");
}
END_TEST

START_TEST(garbage_is_refused) {
    const std::string credentials[] = {"",        "MUNGE:",
                                       "MUNGE::", std::string(3, '\0'),
                                       "{}",      "MUNGE:" + std::string(100000, 'A') + ":"};
    for (const std::string &credential : credentials)
        expect_refused(credential, "munge: cannot open");
}
END_TEST

struct Clock {
    long shift; // of the sealing munged
    const char *refusal;
};
constexpr long life = Seal::seconds_to_live;
constexpr Clock clocks[] = {
    {-2 * life, "Expired"},
    {-life / 2, "nothing was thrown"},
    {life / 2, "nothing was thrown"},
    {2 * life, "Rewound"},
};

START_TEST(expired_and_rewound_are_refused) {
    const Munged other('k', clocks[_i].shift);
    expect_refused(Seal(other.socket()).seal("from another time", getuid()), clocks[_i].refusal);
}
END_TEST

START_TEST(says_what_time_it_was_where_it_was_sealed) {
    constexpr long shift = life / 2;
    const Munged other('k', shift);
    const std::time_t before = std::time(nullptr);
    const Opened opened = our_seal().open(Seal(other.socket()).seal("from the future", getuid()));
    ck_assert_int_ge(opened.sealed_at, before + shift);
    // Not by std::time(), which is up to a tick behind the clock that munged may have asked.
    using RealTime = std::chrono::system_clock;
    ck_assert_int_le(opened.sealed_at, RealTime::to_time_t(RealTime::now()) + shift);
}
END_TEST

START_TEST(seals_after_a_refusal) {
    const Seal seal = our_seal();
    refusal(seal, "MUNGE:forged:");
    expect_equal(seal.open(seal.seal("still here", getuid())).payload, "still here");
}
END_TEST

START_TEST(too_long_is_not_sealed) {
    const std::string payload(highest_payload_bytes + 1, 'z');
    expect_part(error_of<ChannelError>([&] { our_seal().seal(payload, getuid()); }), "too long",
                "error");
}
END_TEST

START_TEST(munged_that_is_down_is_named) {
    const Seal seal("/nonexistent/munge.socket");
    expect_part(error_of<ChannelError>([&] { seal.seal("x", getuid()); }),
                "/nonexistent/munge.socket", "sealing");
    expect_part(refusal(seal, "MUNGE:AAAA:"), "/nonexistent/munge.socket", "opening");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("seal");
    TCase *tests = tcase_create("seal");
    tcase_add_unchecked_fixture(tests, start_munged, stop_munged);
    tcase_add_test(tests, opens_what_was_sealed);
    tcase_add_test(tests, wrong_uid_is_refused);
    tcase_add_test(tests, replayed_is_refused);
    tcase_add_test(tests, tampered_is_refused);
    tcase_add_test(tests, forged_with_another_key_is_refused);
    tcase_add_test(tests, garbage_is_refused);
    tcase_add_loop_test(tests, expired_and_rewound_are_refused, 0, std::size(clocks));
    tcase_add_test(tests, says_what_time_it_was_where_it_was_sealed);
    tcase_add_test(tests, seals_after_a_refusal);
    tcase_add_test(tests, too_long_is_not_sealed);
    tcase_add_test(tests, munged_that_is_down_is_named);
    if (geteuid() == 0) { // becoming another user needs root
        tcase_add_test(tests, says_who_sealed);
        tcase_add_test(tests, only_the_reader_opens);
    }
    suite_add_tcase(suite, tests);
    return run({suite});
}

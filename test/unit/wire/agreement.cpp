// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents of one job say to each other: what is accepted and what is not.
#include "wire/agreement.hpp"

#include "expect.hpp"

#include <iterator>

using namespace vmall::wire;

namespace {

START_TEST(wish_and_answer_arrive_as_they_were_sent) {
    const Wish wish = decode_wish(encode(Wish{42, "n4", 3, true})).value();
    ck_assert_uint_eq(wish.job_id, 42);
    expect_equal(wish.node, "n4");
    ck_assert_uint_eq(wish.mpl, 3);
    ck_assert(wish.is_fixed);
    const Agreed agreed = decode_agreed(encode(Agreed{42, 0}));
    ck_assert_uint_eq(agreed.job_id, 42);
    ck_assert_uint_eq(agreed.mpl, 0);
}
END_TEST

START_TEST(another_message_is_no_wish) {
    ck_assert(!decode_wish(encode(Target{"n1", 42, 1000, {0}, 1, 9})));
    ck_assert(!decode_wish("{}"));
}
END_TEST

struct Wrong {
    const char *wish;
    const char *error;
};

const Wrong wrong_wishes[] = {
    {R"({"wish":7})", "is not a JSON object"},
    {R"({"wish":{"job_id":0,"node":"n1","mpl":1,"fixed":false}})", "\"job_id\" is 0"},
    {R"({"wish":{"job_id":1,"node":"","mpl":1,"fixed":false}})", "\"node\""},
    {R"({"wish":{"job_id":1,"node":"n1","mpl":0,"fixed":false}})", "\"mpl\" is 0"},
    {R"({"wish":{"job_id":1,"node":"n1","mpl":65,"fixed":false}})", "\"mpl\" is 65"},
    {R"({"wish":{"job_id":1,"node":"n1","mpl":1}})", "\"fixed\" is missing"},
};

START_TEST(wrong_wish_is_refused) {
    const Wrong &wrong = wrong_wishes[_i];
    expect_part(error_of<MessageError>([&] { decode_wish(wrong.wish); }), wrong.error, wrong.wish);
}
END_TEST

START_TEST(wrong_answer_is_refused) {
    const char *wrong = R"({"agreed":{"job_id":1,"mpl":65}})";
    expect_part(error_of<MessageError>([&] { decode_agreed(wrong); }), "\"mpl\" is 65", wrong);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("agreement");
    tcase_add_test(tests, wish_and_answer_arrive_as_they_were_sent);
    tcase_add_test(tests, another_message_is_no_wish);
    tcase_add_loop_test(tests, wrong_wish_is_refused, 0, static_cast<int>(std::size(wrong_wishes)));
    tcase_add_test(tests, wrong_answer_is_refused);
    return run("agreement", tests);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// That the price of a hand-over is measured once after each boot, and kept.
#include "limit.hpp"
#include "run.hpp"
#include "spank_vm/agent/hand_over.hpp"
#include "temporary_directory.hpp"

#include <atomic>
#include <ctime>
#include <functional>
#include <thread>

using namespace vmall;
using namespace std::chrono_literals;
using agent::HandOverPrice;
using wire::HandOver;

namespace {

void wait_until(const std::function<bool()> &is_so) {
    const auto end = std::chrono::steady_clock::now() + test::limit;
    while (!is_so() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(1ms);
}

// Of an agent that is told this when it measures. Nothing: it does not get to know.
std::optional<HandOver> first_known(const std::string &directory, const std::string &boot,
                                    std::optional<double> ns) {
    std::atomic<bool> was_asked{false};
    const HandOverPrice price(
        directory, boot,
        [&] {
            was_asked = true;
            return ns;
        });
    wait_until([&] { return price.known() || (was_asked && !ns); });
    return price.known();
}

START_TEST(it_is_measured_at_the_start) {
    const TemporaryDirectory directory;
    const std::int64_t before = std::time(nullptr);
    const HandOver known = first_known(directory.path(), "b1", 1700.4).value();
    ck_assert_uint_eq(known.ns, 1700);
    ck_assert(known.measured_at >= before && known.measured_at <= std::time(nullptr));
}
END_TEST

START_TEST(the_next_agent_goes_by_it_until_the_node_boots) {
    const TemporaryDirectory directory;
    const HandOver first = first_known(directory.path(), "b1", 1700).value();
    ck_assert(first_known(directory.path(), "b1", 9000) == first);
    ck_assert_uint_eq(first_known(directory.path(), "b2", 9000).value().ns, 9000);
}
END_TEST

START_TEST(without_time_for_it_it_is_not_known) {
    const TemporaryDirectory directory;
    ck_assert(!first_known(directory.path(), "b1", std::nullopt));
    ck_assert_uint_eq(first_known(directory.path(), "b1", 1700).value().ns, 1700);
}
END_TEST

START_TEST(it_is_tried_until_there_is_time_for_it) {
    const TemporaryDirectory directory;
    std::atomic<int> tries{0};
    const auto third_time = [&] {
        return ++tries == 3 ? std::optional<double>(1700) : std::nullopt;
    };
    const HandOverPrice price(directory.path(), "b1", third_time, 1ms);
    wait_until([&] { return price.known().has_value(); });
    ck_assert_uint_eq(price.known().value().ns, 1700);
    ck_assert_int_eq(tries, 3);
}
END_TEST

constexpr const char *damages[] = {
    "",
    "nonsense",
    "{}",
    "{\"hand_over\":7}",
    "{\"hand_over\":{\"ns\":0,\"measured_at\":1,\"boot\":\"b1\"}}",
    "{\"hand_over\":{\"ns\":-5,\"measured_at\":1,\"boot\":\"b1\"}}",
    "{\"hand_over\":{\"ns\":10000001,\"measured_at\":1,\"boot\":\"b1\"}}",
    "{\"hand_over\":{\"ns\":5,\"measured_at\":-1,\"boot\":\"b1\"}}",
    "{\"hand_over\":{\"ns\":5,\"measured_at\":1}}"};

START_TEST(a_damaged_file_is_measured_anew) {
    const TemporaryDirectory directory;
    write_content(directory / "hand_over", damages[_i]);
    ck_assert_uint_eq(first_known(directory.path(), "b1", 1700).value().ns, 1700);
    ck_assert_uint_eq(first_known(directory.path(), "b1", 9000).value().ns, 1700);
}
END_TEST

START_TEST(what_cannot_be_is_cut) {
    const TemporaryDirectory directory;
    ck_assert_uint_eq(first_known(directory.path(), "b1", 1e12).value().ns,
                      wire::highest_hand_over_ns);
}
END_TEST

START_TEST(where_it_cannot_be_kept_it_is_known_all_the_same) {
    const TemporaryDirectory directory;
    ck_assert_uint_eq(first_known(directory / "none", "b1", 1700).value().ns, 1700);
    ck_assert_uint_eq(first_known(directory / "none", "b1", 9000).value().ns, 9000);
}
END_TEST

START_TEST(the_kernel_names_its_boot) {
    ck_assert(!agent::name_of_boot().empty());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("hand_over");
    tcase_add_test(tests, it_is_measured_at_the_start);
    tcase_add_test(tests, the_next_agent_goes_by_it_until_the_node_boots);
    tcase_add_test(tests, without_time_for_it_it_is_not_known);
    tcase_add_test(tests, it_is_tried_until_there_is_time_for_it);
    tcase_add_loop_test(tests, a_damaged_file_is_measured_anew, 0, std::size(damages));
    tcase_add_test(tests, what_cannot_be_is_cut);
    tcase_add_test(tests, where_it_cannot_be_kept_it_is_known_all_the_same);
    tcase_add_test(tests, the_kernel_names_its_boot);
    return run("hand_over", tests);
}

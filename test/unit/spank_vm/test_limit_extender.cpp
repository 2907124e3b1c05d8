// SPDX-License-Identifier: GPL-2.0-or-later
//
// Limits that slurmctld is asked to extend, by commands that may be cut off before or after they
// take effect, and agents that are killed meanwhile.
#include "run.hpp"
#include "spank_vm/agent/limit_extender.hpp"
#include "temporary_directory.hpp"

#include <filesystem>
#include <iterator>
#include <optional>

using namespace vmall;
using agent::CutOff;
using agent::LimitExtender;
using agent::Said;

namespace {

constexpr std::uint32_t job_id = 7;
constexpr policy::Seconds no_bound = 1'000'000'000;

enum class Fault { none, cut_off_before, cut_off_after, refused };

// One job on n1, at MPL 2, whose limit is 10 minutes at first.
class Site {
  public:
    explicit Site(policy::Seconds most = no_bound) : most_(most) {
        std::filesystem::create_directory(directory_ / std::to_string(job_id));
        resident_.job_id = job_id;
        resident_.state.allotment.mpl = 2;
        start_agent();
    }

    void start_agent() {
        limits_.emplace(
            directory_ / ".", "n1", most_,
            [this](const std::string &command, const std::vector<std::string> &arguments) {
                return run(command, arguments);
            });
    }
    void look_after(policy::Seconds passed, Fault next = Fault::none) {
        fault_ = next;
        now_ += passed;
        limits_->look({resident_}, now_);
    }

    int limit = 10;
    std::string nodes = "n1";
    int updates = 0, notices = 0, questions = 0;

  private:
    Said run(const std::string &command, const std::vector<std::string> &arguments) {
        if (command == "squeue") {
            ++questions;
            return {0, "7 5_3 " +
                           (limit > 0 ? std::to_string(limit) + ":00" : std::string("UNLIMITED")) +
                           " " + nodes + "\n"};
        }
        ck_assert_text(command, "scontrol");
        if (arguments[0] == "notify") {
            ++notices;
            return {};
        }
        ++updates;
        ck_assert_text(arguments[1], "JobId=5_3");
        const std::string key = "TimeLimit=";
        ck_assert_text(arguments[2].substr(0, key.size()), key);
        if (fault_ == Fault::refused)
            return {1, "Access/permission denied\n"};
        if (fault_ != Fault::cut_off_before)
            limit = std::stoi(arguments[2].substr(key.size()));
        if (fault_ != Fault::none)
            throw CutOff("scontrol takes longer");
        return {};
    }

    policy::Seconds most_;
    TemporaryDirectory directory_;
    agent::Resident resident_;
    policy::Seconds now_ = 1000;
    Fault fault_ = Fault::none;
    std::optional<LimitExtender> limits_;
};

START_TEST(job_has_more_before_it_loses_it) {
    Site site;
    site.look_after(0); // nothing is known of before
    ck_assert_int_eq(site.limit, 11);
    site.look_after(10);
    ck_assert_int_eq(site.limit, 11);
    site.look_after(100);
    ck_assert_int_eq(site.limit, 12);
    ck_assert_int_eq(site.updates, 2);
}
END_TEST

struct FaultCase {
    Fault fault;
    bool is_killed; // the agent, while it waits for the command
};
constexpr FaultCase fault_rows[] = {
    {Fault::cut_off_before, false},
    {Fault::cut_off_after, false},
    {Fault::cut_off_before, true},
    {Fault::cut_off_after, true},
};

START_TEST(command_that_is_cut_off_gives_nothing_twice) {
    Site site;
    site.look_after(0, fault_rows[_i].fault);
    if (fault_rows[_i].is_killed)
        site.start_agent();
    site.look_after(10);
    ck_assert_int_eq(site.limit, 11);
    site.look_after(10);
    ck_assert_int_eq(site.limit, 11);
}
END_TEST

START_TEST(extension_stays_within_its_bound_whatever_is_cut_off) {
    Site site(2 * 60);
    for (int i = 0; i < 100; ++i) {
        site.look_after(60, i % 3 == 0 ? Fault::cut_off_after : Fault::none);
        if (i % 7 == 0)
            site.start_agent();
    }
    ck_assert_int_eq(site.limit, 12);
}
END_TEST

START_TEST(limit_that_an_operator_sets_is_extended_in_its_turn) {
    Site site;
    site.look_after(0);
    site.limit = 30;
    site.look_after(110);
    ck_assert_int_eq(site.limit, 31);
    site.limit = 5;
    site.look_after(110);
    ck_assert_int_eq(site.limit, 6);
}
END_TEST

START_TEST(limit_that_an_operator_sets_meanwhile_stays) {
    Site site;
    site.look_after(0, Fault::cut_off_before);
    site.limit = 30;
    site.look_after(10);
    ck_assert_int_eq(site.limit, 30);
    site.look_after(100);
    ck_assert_int_eq(site.limit, 31);
}
END_TEST

START_TEST(who_is_refused_is_told_once_and_asks_again_later) {
    Site site;
    for (int i = 0; i < 6; ++i)
        site.look_after(10, Fault::refused);
    ck_assert_int_eq(site.updates, 1);
    site.look_after(10);
    ck_assert_int_eq(site.updates, 2);
    ck_assert_int_eq(site.notices, 1);
    ck_assert_int_eq(site.limit, 12);
}
END_TEST

START_TEST(who_gets_no_more_is_told_once) {
    Site site(0);
    for (int i = 0; i < 5; ++i)
        site.look_after(10);
    ck_assert_int_eq(site.notices, 1);
    ck_assert_int_eq(site.questions, 1);
    ck_assert_int_eq(site.updates, 0);
}
END_TEST

START_TEST(only_the_first_node_asks) {
    Site site;
    site.nodes = "n[0-1]";
    site.look_after(0);
    site.look_after(1000);
    ck_assert_int_eq(site.limit, 10);
    ck_assert_int_eq(site.questions, 1);
}
END_TEST

START_TEST(job_without_limit_is_left_alone) {
    Site site(0);
    site.limit = 0;
    site.look_after(0);
    site.look_after(1000);
    ck_assert_int_eq(site.questions, 1);
    ck_assert_int_eq(site.updates, 0);
    ck_assert_int_eq(site.notices, 0);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("limit_extender");
    tcase_add_test(tests, job_has_more_before_it_loses_it);
    tcase_add_loop_test(tests, command_that_is_cut_off_gives_nothing_twice, 0,
                        static_cast<int>(std::size(fault_rows)));
    tcase_add_test(tests, extension_stays_within_its_bound_whatever_is_cut_off);
    tcase_add_test(tests, limit_that_an_operator_sets_is_extended_in_its_turn);
    tcase_add_test(tests, limit_that_an_operator_sets_meanwhile_stays);
    tcase_add_test(tests, who_is_refused_is_told_once_and_asks_again_later);
    tcase_add_test(tests, who_gets_no_more_is_told_once);
    tcase_add_test(tests, only_the_first_node_asks);
    tcase_add_test(tests, job_without_limit_is_left_alone);
    return run("limit_extender", tests);
}

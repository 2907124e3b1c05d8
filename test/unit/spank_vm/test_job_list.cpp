// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an agent that deals cores tells of its jobs, and to whom.
#include "run.hpp"
#include "spank_vm/agent/job_list.hpp"
#include "temporary_directory.hpp"

#include <algorithm>
#include <filesystem>

using namespace vmall;
using agent::JobList;
using wire::Ask;
using wire::JobRow;
using Ids = std::vector<std::uint32_t>;

namespace {

constexpr uid_t slurm = 64030, owner = 1000, other = 1001, stranger = 1002;

JobList::Seen seen(std::uint32_t job_id, uid_t user, const std::vector<std::uint32_t> &given,
                   const std::vector<std::uint32_t> &cores, bool takes_part = true) {
    JobList::Seen one;
    one.resident.job_id = job_id;
    one.resident.state.user = user;
    one.resident.state.given = given;
    one.resident.state.allotment.cores = cores;
    one.resident.state.allotment.mpl = static_cast<std::uint32_t>(given.size() / cores.size());
    one.resident.state.takes_part = takes_part;
    return one;
}

// Jobs 7 and 8 share four cores; 9 did not ask, and has one of them; 10 has others.
class Site {
  public:
    explicit Site(const std::string &private_data = "") {
        write_content(directory_ / "slurm.conf", "NodeName=n1\n" + private_data + "\n");
        agent::Settings settings;
        settings.node_name = "n1";
        settings.slurm_user = slurm;
        settings.slurm_conf = directory_ / "slurm.conf";
        list_.emplace(settings);
        JobList::Seen first = seen(7, owner, {0, 1, 2, 3}, {0, 1});
        first.fixed = "could not be moved: why";
        first.wish = 4;
        list_->show({first, seen(8, other, {0, 1, 2, 3}, {2, 3}), seen(9, other, {3}, {3}, false),
                     seen(10, owner, {4, 5}, {4, 5})});
    }

    std::vector<JobRow> jobs(uid_t asker, const JobList::Lost &lost = {}) const {
        return wire::decode_jobs(list_->answer({Ask::jobs}, asker, lost));
    }
    Ids ids(uid_t asker) const {
        Ids ids;
        for (const JobRow &row : jobs(asker))
            ids.push_back(row.job_id);
        return ids;
    }
    void lose_slurm_conf() const { std::filesystem::remove(directory_ / "slurm.conf"); }
    std::size_t left_out(uid_t asker) const {
        return wire::decode_left_out(list_->answer({Ask::left_out}, asker, {})).size();
    }

  private:
    TemporaryDirectory directory_;
    std::optional<JobList> list_;
};

START_TEST(a_row_has_what_the_job_has_here) {
    const JobRow row = Site().jobs(0, {{7, 61}}).at(0);
    ck_assert_uint_eq(row.job_id, 7);
    ck_assert_uint_eq(row.user_id, owner);
    ck_assert_uint_eq(row.full_cores, 4);
    ck_assert_uint_eq(row.processes, 4);
    ck_assert_uint_eq(row.mpl, 2);
    ck_assert_uint_eq(row.lost_seconds.value(), 61);
    ck_assert_uint_eq(row.nodes.size(), 1);
    ck_assert_text(row.nodes[0].node, "n1");
    ck_assert_uint_eq(row.nodes[0].cores, 2);
    const wire::Deal deal = row.nodes[0].deal.value();
    ck_assert(deal.with == Ids({8, 9}) && deal.mpl == 4 && !deal.useful_percent);
    ck_assert_text(deal.fixed, "could not be moved: why");
}
END_TEST

START_TEST(who_shares_with_nobody_is_told_so) {
    ck_assert(Site().jobs(0).at(2).nodes[0].deal->with.empty());
}
END_TEST

START_TEST(who_did_not_ask_is_left_out) {
    const Site site;
    ck_assert(site.ids(0) == Ids({7, 8, 10}));
    ck_assert_uint_eq(site.left_out(0), 1);
}
END_TEST

struct Case {
    const char *private_data;
    uid_t asker;
    bool sees_all;
    Ids sees;
};
const Case rows[] = {
    {"", stranger, true, {7, 8, 10}},
    {"PrivateData=nodes,cloud", stranger, true, {7, 8, 10}},
    {"PrivateData=accounts,Jobs", stranger, false, {}},
    {"PrivateData=all", stranger, false, {}},
    {"PrivateData=jobs", owner, false, {7, 10}},
    {"PrivateData=jobs", other, false, {8}},
    {"PrivateData=jobs", slurm, true, {7, 8, 10}},
    {"PrivateData=jobs", 0, true, {7, 8, 10}},
};

START_TEST(jobs_of_others_are_private_where_slurm_conf_says_so) {
    const Case &row = rows[_i];
    const Site site(row.private_data);
    ck_assert(site.ids(row.asker) == row.sees);
    for (const JobRow &job : site.jobs(row.asker))
        for (const std::uint32_t with : job.nodes[0].deal->with)
            ck_assert_msg(row.sees_all || row.asker == other, "%u is told", with);
    ck_assert_uint_eq(site.left_out(row.asker), row.sees_all || row.asker == other ? 1 : 0);
}
END_TEST

START_TEST(without_slurm_conf_jobs_are_private) {
    const Site site;
    ck_assert(site.ids(stranger) == Ids({7, 8, 10}));
    site.lose_slurm_conf();
    ck_assert(site.ids(stranger).empty());
    ck_assert(site.ids(owner) == Ids({7, 10}));
}
END_TEST

START_TEST(before_anything_is_seen_nothing_is_told) {
    agent::Settings settings;
    settings.node_name = "n1";
    const JobList list(settings);
    ck_assert(wire::decode_jobs(list.answer({Ask::jobs}, 0, {})).empty());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("job list");
    tcase_add_test(tests, a_row_has_what_the_job_has_here);
    tcase_add_test(tests, who_shares_with_nobody_is_told_so);
    tcase_add_test(tests, who_did_not_ask_is_left_out);
    tcase_add_test(tests, without_slurm_conf_jobs_are_private);
    tcase_add_loop_test(tests, jobs_of_others_are_private_where_slurm_conf_says_so, 0,
                        std::size(rows));
    tcase_add_test(tests, before_anything_is_seen_nothing_is_told);
    return run("job list", tests);
}

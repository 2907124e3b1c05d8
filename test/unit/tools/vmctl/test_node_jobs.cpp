// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs by what the agents of their nodes say (mode=node), who may lie, or say nothing.
#include "wire/expect.hpp"
#include "wire/munged.hpp"

#include "tools/vmctl/node_jobs.hpp"
#include "tools/vmctl/node_metrics.hpp"
#include "tools/vmctl/why_dealt.hpp"
#include "wire/query_server.hpp"

#include <numeric>

using namespace vmall::wire;
using namespace vmall::vmctl;

namespace {

// Of all tests. Every test is a process of its own, which must not stop it at its exit.
Munged *munged;

void start_munged() {
    munged = new Munged();
}
void stop_munged() {
    delete munged;
}

JobRow row(std::uint32_t job, const std::string &node, std::uint32_t cores, std::uint32_t mpl) {
    JobRow row;
    row.job_id = job;
    row.user_id = 0;
    row.processes = row.full_cores = cores * mpl;
    row.mpl = mpl;
    row.nodes = {{node, cores, Deal{{}, mpl}}};
    return row;
}

void no_report(const std::string &) {}

// An agent on this host, and what it answers.
class FakeAgent {
  public:
    explicit FakeAgent(const std::string &name, QueryServer::Handler handler)
        : server_(0, munged->socket(), std::move(handler), no_report, no_report),
          asked_{name, {"127.0.0.1", server_.port()}} {}
    const AskedNode &asked() const { return asked_; }

  private:
    QueryServer server_;
    AskedNode asked_;
};

QueryServer::Handler telling(const std::vector<JobRow> &jobs,
                             const std::vector<LeftOutRow> &left_out = {}) {
    return [=](const Query &query, uid_t) {
        return query.ask == Ask::jobs ? encode_page(jobs, query.from, 2000)
                                      : encode_page(left_out, query.from);
    };
}

NodeJobs told_by(const std::vector<AskedNode> &nodes, const SlurmJobs &slurms = {}) {
    return ask_for_node_jobs(nodes, slurms, munged->socket(), limit);
}

std::string joined(const std::vector<std::string> &lines) {
    return std::accumulate(
        lines.begin(), lines.end(), std::string(),
        [](const auto &text, const auto &line) { return text + line + "\n"; });
}

START_TEST(what_nodes_say_of_a_job_is_put_together) {
    JobRow first = row(42, "n1", 2, 2), second = row(42, "n2", 2, 2);
    first.lost_seconds = 60;
    second.lost_seconds = 70;
    first.useful_percent = 80;
    first.ranks = second.ranks = RankReport{4, 4, 1, 1, 0, 0, engine_ucx};
    const FakeAgent one("n1", telling({row(41, "n1", 4, 1), first}, {{9, 0, "did not ask"}}));
    const FakeAgent two("n2", telling({second}, {{9, 0, "did not ask"}}));
    const NodeJobs told = told_by({one.asked(), two.asked()}, {{{42, {"cg", 7, true}}}, {}});
    expect_equal(joined(told.silent), "");
    ck_assert_uint_eq(told.left_out.size(), 2);
    ck_assert_uint_eq(told.jobs.size(), 2);
    ck_assert_uint_eq(told.jobs[0].job_id, 41);
    const JobRow &job = told.jobs[1];
    expect_equal(job.name, "cg");
    ck_assert_uint_eq(job.processes, 7);
    ck_assert_uint_eq(job.full_cores, 8);
    ck_assert_uint_eq(job.nodes.size(), 2);
    ck_assert_uint_eq(job.lost_seconds.value(), 70);
    ck_assert_int_eq(job.useful_percent.value(), 80);
    ck_assert_uint_eq(job.ranks.value().tasks, 8);
    ck_assert(!job.resize_pending);
    ck_assert(told.suspended == std::set<std::uint32_t>{42});
}
END_TEST

START_TEST(nodes_of_a_job_that_are_folded_differently_are_on_their_way) {
    const auto jobs = merged({row(42, "n1", 2, 2), row(42, "n2", 4, 1)});
    ck_assert(jobs.at(0).resize_pending && jobs[0].mpl == 2);
}
END_TEST

START_TEST(a_number_that_another_user_has_elsewhere_is_another_job) {
    JobRow other = row(42, "n2", 2, 2);
    other.user_id = 1000;
    ck_assert_uint_eq(merged({row(42, "n1", 2, 2), other}).size(), 2);
}
END_TEST

START_TEST(long_lists_come_in_pages) {
    std::vector<JobRow> many;
    for (std::uint32_t job = 1; job <= 50; ++job)
        many.push_back(row(job, "n1", 1, 4));
    const FakeAgent agent("n1", telling(many));
    ck_assert_uint_eq(told_by({agent.asked()}).jobs.size(), 50);
}
END_TEST

struct Liar {
    const char *answer;
    const char *problem;
};
const Liar liars[] = {
    {"{\"jobs\":[],\"left_out\":[],\"next\":{\"job_id\":7,\"node\":0}}", "does not come to an end"},
    {"{\"error\":\"only tells how it is installed\"}", "only tells how it is installed"},
    {"{}", "\"jobs\" is missing"},
    {"nonsense", "not JSON"},
    {"of another", "it tells of another node"},
};

START_TEST(who_does_not_tell_is_named_and_the_others_are_heard) {
    const Liar &liar = liars[_i];
    const std::string answer = liar.answer;
    const FakeAgent agent("n2", [&](const Query &, uid_t) {
        return answer == "of another" ? encode(std::vector<JobRow>{row(42, "n1", 2, 2)}) : answer;
    });
    const FakeAgent honest("n1", telling({row(42, "n1", 2, 2)}));
    const NodeJobs told = told_by({agent.asked(), honest.asked()});
    ck_assert_uint_eq(told.jobs.size(), 1);
    ck_assert_uint_eq(told.jobs[0].nodes.size(), 1);
    expect_part(joined(told.silent), "n2: ", "silent");
    expect_part(joined(told.silent), liar.problem, "silent");
}
END_TEST

START_TEST(nodes_that_do_not_listen_are_named_once) {
    const int port = Listener(0).port(); // free again
    const NodeJobs told = told_by({{"n7", {"127.0.0.1", port}}});
    ck_assert_uint_eq(told.silent.size(), 1);
    expect_part(told.silent[0], "n7: ", "silent");
}
END_TEST

double value_of(const std::vector<MetricFamily> &metrics, const std::string &name,
                const std::string &label = "") {
    for (const MetricFamily &family : metrics)
        if (family.name == "slurm_vm_" + name)
            for (const Sample &sample : family.samples)
                if (label.empty() || sample.labels.begin()->second == label)
                    return sample.value;
    return -1;
}

START_TEST(metrics_add_up_what_nodes_say) {
    JobRow first = row(42, "n1", 2, 2), second = row(43, "n1", 4, 1), stopped = row(44, "n1", 1, 4);
    first.lost_seconds = 60;
    stopped.lost_seconds = 5;
    first.ranks = stopped.ranks = RankReport{4, 3, 1, 1, 0, 0, engine_ucx};
    first.useful_percent = 80;
    const auto metrics =
        metrics_of({{first, second, stopped}, {44}, {}, {"n2: hung up", "n2: lies", "n3: lies"}});
    ck_assert(value_of(metrics, "jobs", "folded") == 1);
    ck_assert(value_of(metrics, "jobs", "unfolded") == 1);
    ck_assert(value_of(metrics, "jobs", "suspended") == 1);
    ck_assert(value_of(metrics, "cores_held") == 6);
    ck_assert(value_of(metrics, "cores_lent") == 2);
    ck_assert(value_of(metrics, "ranks") == 4);
    ck_assert(value_of(metrics, "ranks_unattached") == 1);
    ck_assert(value_of(metrics, "useful_share") == 0.8);
    ck_assert(value_of(metrics, "lost_seconds") == 65);
    ck_assert(value_of(metrics, "node_silent", "n2") == 1);
    ck_assert(value_of(metrics, "node_silent", "n3") == 1);
    ck_assert(value_of(metrics_of({}), "node_silent") == -1);
    ck_assert(value_of(metrics_of({}), "cores_held") == 0);
}
END_TEST

START_TEST(running_jobs_of_slurm_have_names_and_nodes) {
    char name[] = "cg", nodes[] = "n[1-3,5]", elsewhere[] = "n9";
    job_info_t jobs[4] = {};
    for (std::uint32_t i = 0; i < 4; ++i) {
        jobs[i].job_id = i + 1;
        jobs[i].num_tasks = 8;
        jobs[i].name = name;
        jobs[i].nodes = nodes;
    }
    jobs[0].job_state = JOB_RUNNING;
    jobs[1].job_state = JOB_SUSPENDED;
    jobs[2].job_state = JOB_PENDING;
    jobs[3].job_state = JOB_COMPLETE;
    jobs[2].nodes = nullptr;
    jobs[3].nodes = elsewhere;
    job_info_msg_t records = {};
    records.record_count = 4;
    records.job_array = jobs;
    const SlurmJobs running = jobs_in(records);
    ck_assert_uint_eq(running.jobs.size(), 2);
    expect_equal(running.jobs.at(2).name, "cg");
    ck_assert_uint_eq(running.jobs.at(1).processes, 8);
    ck_assert(!running.jobs.at(1).is_suspended && running.jobs.at(2).is_suspended);
    ck_assert(running.nodes == std::set<std::string>({"n1", "n2", "n3", "n5"}));
}
END_TEST

START_TEST(why_a_job_has_what_it_has) {
    JobRow job = row(42, "n1", 2, 4);
    job.nodes = {{"n1", 2, Deal{{43, 44}, 4, 55}},
                 {"n2", 2, Deal{{43, 44}, 2, 90, "could not be moved: cgroups\x1b"}},
                 {"n3", 2, Deal{{}, 1}}};
    job.ranks = RankReport{8, 0, 0, 0, 0, 0, 0};
    job.lost_seconds = 120;
    expect_equal(joined(explain_deals(job)),
                 "On n[1-2] Slurm gave cores of it to jobs 43 and 44, too.\n"
                 "It is folded alike on all of its nodes: as deep as on n1, where it would have "
                 "MPL 4.\n"
                 "On n2 it could not be moved: cgroups?.\n"
                 "It makes use of 55% of the cores that it has, where that is least.\n"
                 "libvmrt serves none of its processes: those that wait in MPI poll.\n"
                 "It has lost 120 seconds by sharing.\n");
    job.nodes = {{"n1", 2, Deal{}}};
    job.ranks.reset();
    job.lost_seconds = 0;
    expect_part(joined(explain_deals(job)), "Those that it shares with are not yours", "sentences");
    expect_part(joined(explain_deals(job)), "is not known yet", "sentences");
    job.mpl = 1;
    expect_part(joined(explain_deals(job)), "No other job that is yours to see", "sentences");
    job.nodes[0].deal.reset();
    ck_assert(explain_deals(job).empty());
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("node jobs");
    TCase *tests = tcase_create("node jobs");
    tcase_add_unchecked_fixture(tests, start_munged, stop_munged);
    tcase_add_test(tests, nodes_of_a_job_that_are_folded_differently_are_on_their_way);
    tcase_add_test(tests, a_number_that_another_user_has_elsewhere_is_another_job);
    tcase_add_test(tests, running_jobs_of_slurm_have_names_and_nodes);
    tcase_add_test(tests, metrics_add_up_what_nodes_say);
    tcase_add_test(tests, why_a_job_has_what_it_has);
    if (geteuid() == 0) { // agents are root's
        tcase_add_test(tests, what_nodes_say_of_a_job_is_put_together);
        tcase_add_test(tests, long_lists_come_in_pages);
        tcase_add_loop_test(tests, who_does_not_tell_is_named_and_the_others_are_heard, 0,
                            std::size(liars));
        tcase_add_test(tests, nodes_that_do_not_listen_are_named_once);
    }
    suite_add_tcase(suite, tests);
    return run({suite});
}

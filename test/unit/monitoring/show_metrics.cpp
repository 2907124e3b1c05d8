// SPDX-License-Identifier: GPL-2.0-or-later
//
// show_metrics node: what vmctl metrics prints where agents deal cores themselves (mode=node), of
// a node that tells of one job and one that is silent.
//
// show_metrics [JOBS]: what vmctl metrics prints of a controller that has seen one of each thing
// that is counted, with so many jobs of two nodes each, every other one folded; and on standard
// error, how long it took in microseconds to publish jobs and metrics, to answer, and to write the
// text.
#include "plugins/sched_fjt/answer/status.hpp"
#include "tools/vmctl/exposition.hpp"
#include "tools/vmctl/node_metrics.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

using namespace vmall;
using namespace vmall::sched;

namespace {

View busy_view(JobNumber jobs) {
    View view;
    view.now = 2000000;
    view.steady = 5000;
    view.nodes[0].name = "n1";
    view.nodes[1].name = "n2";
    for (JobNumber id = 1; id <= jobs; ++id) {
        JobView job;
        job.id = id;
        job.name = "a job";
        job.partition = "main";
        job.virtually_malleable = true;
        job.tasks = 4;
        job.started = view.now - 100;
        job.state = JobState::running;
        job.cores = {{0, {1}}, {1, {2}}};
        if (id % 2 == 0) {
            job.cores[0].push_back(3);
            job.cores[1].push_back(4);
        }
        view.active.emplace(id, std::move(job));
    }
    JobView waiting;
    waiting.id = jobs + 1;
    waiting.virtually_malleable = true;
    waiting.submitted = view.now - 50;
    waiting.request.sizes = common::Sizes::from_to(1, 4);
    view.queue.push_back(waiting);
    return view;
}

Counters busy_counters() {
    Counters counters;
    counters.passes = 7;
    counters.pass_microseconds = 1500000;
    counters.folds.count({"main", "short", "room"});
    counters.folds.count({"with \"quotes\" and \\", "long", "window"});
    counters.unfolds.count({"main", "short"});
    counters.refusals_by_nodes.count({"n1", "unattached"});
    counters.unanswered.count({"n2"});
    for (const double took : {0.004, 0.02, 0.02, 3.0, 100.0})
        counters.fold_times.note(took);
    return counters;
}

Ledger ledger_of(const View &view) {
    Ledger ledger(0);
    ledger.note_hand_over("n1", 1700);
    ledger.note_hand_over("n2", 14000);
    for (const auto &[id, job] : view.active) {
        LedgerEntry &entry = ledger.of(job);
        entry.useful = UsefulShare(static_cast<int>(id % 100) + 1, 100);
        entry.ranks = wire::RankReport{4, 3, 0, 0, 0, 0, 0};
    }
    return ledger;
}

template <typename Deed>
auto timed(const char *what, Deed deed) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = deed();
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    std::cerr << what << " " << took.count() << "\n";
    return result;
}

vmctl::NodeJobs told_by_agents() {
    vmctl::NodeJobs told;
    wire::JobRow &job = told.jobs.emplace_back();
    job.full_cores = 4;
    job.mpl = 2;
    job.nodes = {{"n1", 2}};
    job.lost_seconds = 60;
    job.useful_percent = 80;
    told.silent = {"n2: hung up"};
    return told;
}

} // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::string_view(argv[1]) == "node") {
        std::cout << vmctl::exposition(vmctl::families_of(vmctl::metrics_of(told_by_agents())));
        return EXIT_SUCCESS;
    }
    const View view = busy_view(argc > 1 ? static_cast<JobNumber>(std::atoi(argv[1])) : 2);
    const Ledger ledger = ledger_of(view);
    const Counters counters = busy_counters();
    const config::Config config;
    Status status;
    status.publish_queue(view, {policy::Wait{{view.queue.front().id}, {}}}, config);
    timed(
        "publish",
        [&] {
            status.publish(view, ledger, counters, config);
            return 0;
        });
    const std::string answer = timed(
        "answer", [&] { return status.answer({wire::Ask::metrics}); });
    std::cout << timed("text", [&] {
        return vmctl::exposition(vmctl::families_of(wire::decode_metrics(answer)));
    });
}

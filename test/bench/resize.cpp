// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long a resize of a job takes, from the decision until every node has confirmed, by the number
// of its nodes: the messenger of sched/fjt, and agents that open, answer and seal but move nothing.
// Everything runs on this machine: controller and agents have a munged each, so that what the
// controller alone needs can be told.
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "resize_ends.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;
using namespace vmall;
using namespace vmall::bench;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int node_counts[] = {1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000, 2000, 4000};
constexpr int nodes_of_the_other_job = 10;
constexpr int nodes_beside_silent_ones = 1000;
constexpr int silent_counts[] = {0, 1, 16, 100};
constexpr int rounds_with_silent_nodes = 5;
constexpr auto agent_timeout = 2s; // vmall.conf's default

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double percentile(std::vector<double> values, std::size_t percent) {
    std::sort(values.begin(), values.end());
    return values[(values.size() - 1) * percent / 100];
}

// A table's row: `nodes` of the job, of which `silent` do not answer.
struct Row {
    const char *table;
    int nodes, silent;
    std::vector<double> milliseconds;
    Cpu per_node; // µs for one message and its answer
};

class Record {
  public:
    explicit Record(const char *path) {
        if (!path)
            return;
        out_.open(path);
        out_ << "table,nodes,silent,rounds,median_ms,p99_ms,max_ms,controller_us,its_munged_us,"
                "agents_us,their_munged_us\n";
        if (!out_)
            throw std::runtime_error(std::string("cannot write ") + path);
    }

    void add(const Row &row) {
        const double median = percentile(row.milliseconds, 50);
        const double p99 = percentile(row.milliseconds, 99);
        const double longest = percentile(row.milliseconds, 100);
        std::printf("%-7s %4d nodes, %3d silent: median %8.2f ms, p99 %8.2f, longest %8.2f of %zu",
                    row.table, row.nodes, row.silent, median, p99, longest,
                    row.milliseconds.size());
        if (row.per_node.controller > 0)
            std::printf("; per node %.0f µs, CPU: controller %.0f µs, its munged %.0f; agents %.0f,"
                        " their munged %.0f",
                        median / row.nodes * 1000, row.per_node.controller, row.per_node.its_munged,
                        row.per_node.agents, row.per_node.their_munged);
        std::printf("\n");
        std::fflush(stdout);
        out_ << row.table << ',' << row.nodes << ',' << row.silent << ',' << row.milliseconds.size()
             << ',' << median << ',' << p99 << ',' << longest << ',' << row.per_node.controller
             << ',' << row.per_node.its_munged << ',' << row.per_node.agents << ','
             << row.per_node.their_munged << std::endl;
    }

  private:
    std::ofstream out_;
};

void expect_answers(const sched::Confirmation &confirmation) {
    for (const sched::NodeReply &reply : confirmation.replies)
        if (!reply.answered)
            throw std::runtime_error(reply.node + ": " + reply.reason);
}

// One job's resizes, one after the other.
Row resize_alone(Ends &ends, int nodes, int rounds) {
    Row row{"alone", nodes, 0, {}, {}};
    ends.resize(1, nodes); // threads and buffers are there from now on
    ends.wait();
    const Cpu before = ends.cpu();
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        ends.resize(1, nodes);
        expect_answers(ends.wait());
        row.milliseconds.push_back(milliseconds_since(start));
    }
    row.per_node = (ends.cpu() - before) / (static_cast<double>(rounds) * nodes);
    return row;
}

// Resizes of a job with silent nodes, and meanwhile those of another job, one after the other.
std::array<Row, 2> resize_two(Ends &ends, int silent, int rounds) {
    Row own{"silent", nodes_beside_silent_ones, silent, {}, {}};
    Row other{"beside", nodes_of_the_other_job, silent, {}, {}};
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        ends.resize(1, nodes_beside_silent_ones, silent);
        for (bool under_way = true; under_way;) {
            const auto start_of_other = Clock::now();
            ends.resize(2, nodes_of_the_other_job);
            for (sched::JobNumber job = 0; job != 2;) {
                job = ends.wait().job;
                if (job == 1) {
                    under_way = false;
                    own.milliseconds.push_back(milliseconds_since(start));
                }
            }
            other.milliseconds.push_back(milliseconds_since(start_of_other));
        }
    }
    return {own, other};
}

} // namespace

int main(int argc, char **argv) {
    const long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 100;
    if (argc > 3 || rounds < 1 || rounds > 1'000'000 || geteuid() != 0) {
        std::fprintf(stderr, "usage, as root: resize [ROUNDS [CSV]]\n");
        return 2;
    }
    try {
        Record record(argc > 2 ? argv[2] : nullptr);
        Ends ends(agent_timeout);
        for (const int nodes : node_counts)
            record.add(resize_alone(ends, nodes, static_cast<int>(rounds)));
        for (const int silent : silent_counts)
            for (const Row &row : resize_two(ends, silent, rounds_with_silent_nodes))
                record.add(row);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "resize: %s\n", error.what());
        return 1;
    }
}

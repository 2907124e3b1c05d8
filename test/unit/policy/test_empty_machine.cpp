// SPDX-License-Identifier: GPL-2.0-or-later
//
// With how many processes a job fits an empty machine: as many as can be placed there.
#include "policy/room/empty_machine.hpp"
#include "suites.hpp"

#include <random>

namespace {

using namespace vmall::policy;

class Random {
  public:
    explicit Random(int seed) : random_(static_cast<std::uint32_t>(seed)) {}
    int from_to(int least, int most) {
        return least + static_cast<int>(random_() % static_cast<std::uint32_t>(most - least + 1));
    }

  private:
    std::mt19937 random_;
};

std::vector<Node> some_nodes(Random &random) {
    std::vector<Node> nodes(static_cast<std::size_t>(random.from_to(1, 6)));
    const bool counts_memory = random.from_to(0, 1) == 1;
    for (Node &node : nodes) {
        node.cores = random.from_to(0, 8);
        node.memory = counts_memory ? random.from_to(0, 12) : 0;
    }
    return nodes;
}

WaitingJob some_job(Random &random, int nodes) {
    WaitingJob job;
    job.virtually_malleable = random.from_to(0, 2) > 0;
    job.any_spread = job.virtually_malleable && random.from_to(0, 1) == 1;
    job.whole_nodes = !job.any_spread && random.from_to(0, 3) == 0;
    job.cores_per_process = random.from_to(1, 3);
    job.memory_per_process = random.from_to(0, 3);
    job.memory_per_node = random.from_to(0, 2);
    job.min_nodes = random.from_to(1, nodes + 1);
    job.max_nodes = random.from_to(job.min_nodes, nodes + 1);
    return job;
}

// By one look after another.
int most_that_can_be_placed(const WaitingJob &job, const std::vector<Node> &nodes) {
    constexpr int too_many = 60;
    const Usable own = usable(job, nodes, empty_machine(nodes));
    int processes = too_many;
    while (processes > 0 && !place(job, processes, 1, nodes, own))
        processes--;
    return processes;
}

START_TEST(as_many_as_can_be_placed) {
    Random random(_i);
    const std::vector<Node> nodes = some_nodes(random);
    const NodeSet first{NodeIndex{0}};
    EmptyMachine machine(nodes);
    for (int i = 0; i < 20; i++) { // what is known of one job must not be told of another
        WaitingJob job = some_job(random, static_cast<int>(nodes.size()));
        if (random.from_to(0, 3) == 0)
            job.eligible = first;
        ck_assert_int_eq(machine.most_processes(job), most_that_can_be_placed(job, nodes));
    }
}
END_TEST

} // namespace

Suite *empty_machine_suite() {
    Suite *suite = suite_create("empty machine");
    TCase *cases = tcase_create("empty machine");
    tcase_add_loop_test(cases, as_many_as_can_be_placed, 0, 500);
    suite_add_tcase(suite, cases);
    return suite;
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Claimed cores to CPUs, on hwloc's synthetic machines.
#include "run.hpp"
#include "spank_vm/agent/core_map.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace vmall::agent;

namespace {

using Cores = std::vector<std::uint32_t>;
using Cpus = std::vector<std::uint16_t>;

class Machine {
  public:
    explicit Machine(const char *description) {
        if (hwloc_topology_init(&topology_) != 0 ||
            hwloc_topology_set_synthetic(topology_, description) != 0 ||
            hwloc_topology_load(topology_) != 0)
            throw std::runtime_error(description);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
    ~Machine() { hwloc_topology_destroy(topology_); }
    hwloc_topology_t topology() const { return topology_; }

  private:
    hwloc_topology_t topology_ = nullptr;
};

struct Row {
    const char *name;
    const char *machine;
    std::uint32_t claimed;
    Cores cores;
    Cpus cpus;
    bool overclaimed;
};

const std::vector<Row> rows = {
    {"a core is a CPU", "pack:2 core:4 pu:1", 8, {0, 5}, {0, 5}, false},
    {"a core brings all its threads", "pack:1 core:4 pu:2", 4, {1, 3}, {2, 3, 6, 7}, false},
    {"threads numbered far apart stay neighbours",
     "pack:1 core:2 pu:2(indexes=0,2,1,3)",
     2,
     {0, 1},
     {0, 2, 1, 3},
     false},
    {"slurm.conf counts CPUs only", "pack:1 core:4 pu:2", 8, {1, 7}, {1, 7}, false},
    {"more claimed than real", "pack:1 core:2 pu:1", 8, {2, 3}, {0, 1}, true},
    {"claimed cores that share a real one", "pack:1 core:2 pu:1", 8, {0, 2, 4}, {0}, true},
    {"fewer claimed than real", "pack:1 core:8 pu:1", 4, {3}, {3}, false},
};

START_TEST(cores_have_their_cpus) {
    const Row &row = rows[static_cast<std::size_t>(_i)];
    const Machine machine(row.machine);
    const CoreMap map(machine.topology(), row.claimed);
    ck_assert_msg(map.cpus(row.cores) == row.cpus, "%s: wrong CPUs", row.name);
    ck_assert_msg(map.overclaimed() == row.overclaimed, "%s: overclaimed?", row.name);
}
END_TEST

START_TEST(a_core_that_is_not_claimed_is_refused) {
    const Machine machine("pack:1 core:8 pu:1");
    const CoreMap map(machine.topology(), 4);
    ck_assert_contains(refusal<std::out_of_range>([&] { map.cpus({0, 4}); }), "core 4");
}
END_TEST

START_TEST(a_cpu_number_beyond_the_control_block_is_refused) {
    const Machine machine("pack:1 core:2 pu:1(indexes=0,1024)");
    ck_assert_contains(refusal<std::runtime_error>([&] { CoreMap(machine.topology(), 2); }),
                       "CPU 1024");
}
END_TEST

START_TEST(this_machine_has_cpus) {
    ck_assert(!CoreMap(1).cpus({0}).empty());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("core map");
    tcase_add_loop_test(tests, cores_have_their_cpus, 0, static_cast<int>(rows.size()));
    tcase_add_test(tests, a_core_that_is_not_claimed_is_refused);
    tcase_add_test(tests, a_cpu_number_beyond_the_control_block_is_refused);
    tcase_add_test(tests, this_machine_has_cpus);
    return run("core_map", tests);
}

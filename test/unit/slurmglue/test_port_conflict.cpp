// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ports of ours beside those that sites give to Slurm.
#include "common/owned_text.hpp"
#include "run.hpp"
#include "slurmglue/port_conflict.h"

#include <cstdint>
#include <iterator>
#include <string>

namespace {

using namespace vmall;

struct Row {
    const char *what;
    std::uint32_t first;
    std::uint16_t count;
    std::uint16_t of_srun[2];
    int port;
    const char *conflict;
};

const Row rows[] = {
    {"Slurm's defaults", 6817, 1, {0, 0}, 7850, ""},
    {"inside slurmctld's",
     6820,
     11,
     {0, 0},
     6830,
     "AgentPort=6830 is one of SlurmctldPort=6820-6830 of slurm.conf"},
    {"behind slurmctld's", 6820, 10, {0, 0}, 6830, ""},
    {"slurmctld's only one",
     6817,
     1,
     {0, 0},
     6817,
     "AgentPort=6817 is SlurmctldPort of slurm.conf, too"},
    {"slurmd's", 6817, 1, {0, 0}, 6818, "AgentPort=6818 is SlurmdPort of slurm.conf, too"},
    {"inside srun's",
     6817,
     1,
     {6820, 7820},
     7820,
     "AgentPort=7820 is one of SrunPortRange=6820-7820 of slurm.conf"},
    {"behind srun's", 6817, 1, {6820, 7820}, 7850, ""},
};

START_TEST(what_slurm_may_take_is_named) {
    const Row &row = rows[_i];
    std::uint16_t of_srun[] = {row.of_srun[0], row.of_srun[1]};
    slurm_conf_t conf = {};
    conf.slurmctld_port = row.first;
    conf.slurmctld_port_count = row.count;
    conf.slurmd_port = 6818;
    conf.srun_port_range = of_srun[0] ? of_srun : nullptr;
    const std::string found = common::taken(vmall_port_conflict(&conf, "AgentPort", row.port));
    ck_assert_msg(found == row.conflict, "%s: %s", row.what, found.c_str());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("port_conflict");
    tcase_add_loop_test(tests, what_slurm_may_take_is_named, 0, static_cast<int>(std::size(rows)));
    return run("port_conflict", tests);
}

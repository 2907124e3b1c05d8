// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which node a slurmd serves, by its arguments and slurm.conf.
#include "run.hpp"
#include "spank_vm/node/slurm_conf.hpp"
#include "spank_vm/node/slurmd_identity.hpp"
#include "spank_vm/options/slurm_release.hpp"
#include "temporary_directory.hpp"

#include <slurm/slurm.h>

#include <iterator>

using namespace vmall;
using spank_vm::SlurmdIdentity;

namespace {

SlurmdIdentity identity_by(const std::string &conf, const std::vector<std::string> &arguments = {},
                           const std::string &cgroup_conf = "") {
    const TemporaryDirectory directory;
    write_content(directory / "slurm.conf", conf);
    write_content(directory / "cgroup.conf", cgroup_conf);
    return spank_vm::identity_of({arguments, "host7", directory / "slurm.conf"});
}

struct CoresCase {
    const char *line;
    std::uint32_t cores;
};
constexpr CoresCase cores_rows[] = {
    {"NodeName=host7 CPUs=8", 8},
    {"NodeName=host7 Procs=8", 8},
    {"NodeName=host7 CPUs=8 ThreadsPerCore=2", 4},
    {"NodeName=host7 CPUs=8 CoresPerSocket=4 ThreadsPerCore=2", 4},
    {"NodeName=host7 Boards=2 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2", 32},
    {"NodeName=host7 Sockets=2 CoresPerSocket=16", 32},
    {"NodeName=host7 RealMemory=1000", 0},
    {"NodeName=DEFAULT Sockets=2 CoresPerSocket=4\nNodeName=host[1-9]", 8},
    {"NodeName=DEFAULT Sockets=2\nNodeName=DEFAULT CoresPerSocket=4\nnodename = host7", 8},
    {"NodeName=a,b \\\n CPUs=3\nNodeName=host[1,7] CPUs=5 # CPUs=9", 5},
    {"NodeName=elsewhere CPUs=3", 0},
    {"Include more.conf\nNodeName=host7 CPUs=2", 2},
};

START_TEST(cores_are_inferred_as_slurm_does) {
    const CoresCase &row = cores_rows[_i];
    const auto found = identity_by(row.line);
    ck_assert_msg(found.claimed_cores == row.cores, "%s: %u", row.line, found.claimed_cores);
}
END_TEST

struct NameCase {
    const char *conf;
    std::vector<std::string> arguments;
    const char *name;
    bool stays;
};
const NameCase name_rows[] = {
    {"NodeName=host[1-9]", {}, "host7", false},
    {"NodeName=host[1-9]", {"-D", "-N", "n1"}, "n1", true},
    {"NodeName=host[1-9]", {"-DNn2"}, "n2", true},
    {"NodeName=host[1-9]", {"-f", "-N", "--systemd"}, "host7", true},
    {"NodeName=n[1-9] NodeHostname=host[1-9]", {"-d/sbin/slurmstepd"}, "n7", false},
};

START_TEST(name_is_the_one_that_slurmd_has) {
    const NameCase &row = name_rows[_i];
    const auto found = identity_by(row.conf, row.arguments);
    ck_assert_text(found.node_name, row.name);
    ck_assert_int_eq(found.stays_in_foreground, row.stays);
}
END_TEST

START_TEST(what_is_not_said_is_slurms_default) {
    const auto found = identity_by("");
    ck_assert_text(found.spool_dir, "/var/spool/slurmd");
    ck_assert_text(found.cgroup_mount, "/sys/fs/cgroup");
    ck_assert_int_eq(found.port, 6818);
    ck_assert_int_eq(found.slurm_user, 0);
    ck_assert(!found.makes_cpusets);
}
END_TEST

START_TEST(what_is_said_holds) {
    const auto found = identity_by(
        "SlurmdSpoolDir=\"/s/%n/%h\"\nSLURMUSER = 7\nTaskPlugin=task/cgroup,task/affinity\n"
        "SlurmctldPort=6820-6830\nNodeName=host[6-8] Port=[7000-7002]\n",
        {}, "ConstrainCores=Yes\nCgroupMountpoint=/cg\n");
    ck_assert_text(found.spool_dir, "/s/host7/host7");
    ck_assert_text(found.cgroup_mount, "/cg");
    ck_assert_int_eq(found.port, 7001);
    ck_assert_int_eq(found.slurm_user, 7);
    ck_assert(found.makes_cpusets);
    ck_assert_uint_eq(found.slurms_ports[0].first, 6820);
    ck_assert_uint_eq(found.slurms_ports[0].last, 6830);
}
END_TEST

struct PlaceCase {
    const char *conf;
    const char *host;
    int port;
};
constexpr PlaceCase address_rows[] = {
    {"NodeName=n[1-9]", "n7", 6818},
    {"SlurmdPort=7000\nNodeName=n[1-9] NodeHostname=host[1-9]", "host7", 7000},
    {"NodeName=n[6-8] NodeAddr=10.0.0.[6-8] NodeHostname=h Port=[7000-7002]", "10.0.0.7", 7001},
    {"NodeName=n7 NodeAddr=127.0.0.1 Port=17", "127.0.0.1", 17},
};

START_TEST(other_nodes_are_where_slurm_conf_says) {
    const TemporaryDirectory directory;
    write_content(directory / "slurm.conf", address_rows[_i].conf);
    const auto address = spank_vm::address_of_slurmd(directory / "slurm.conf", "n7");
    ck_assert(address.has_value());
    ck_assert_text(address->host, address_rows[_i].host);
    ck_assert_int_eq(address->port, address_rows[_i].port);
    ck_assert(!spank_vm::address_of_slurmd(directory / "slurm.conf", "m7"));
}
END_TEST

START_TEST(dynamic_node_says_itself_what_it_has) {
    const std::vector<std::string> told = {"-Z", "--conf", "Sockets=2 CoresPerSocket=3"};
    ck_assert_uint_eq(identity_by("", told).claimed_cores, 6);
    ck_assert_uint_eq(identity_by("", {"-Z", "--conf=CPUs=5"}).claimed_cores, 5);
}
END_TEST

START_TEST(releases_go_by_the_number_of_the_api) {
    ck_assert_uint_eq(spank_vm::release_of_api(SLURM_VERSION_NUM(38, 0, 0)), 0x160500);
    ck_assert_uint_eq(spank_vm::release_of_api(SLURM_VERSION_NUM(45, 1, 2)), 0x1a0500);
    ck_assert_uint_eq(spank_vm::release_of_api(SLURM_VERSION_NUM(39, 0, 0)), 0);
    ck_assert_uint_eq(spank_vm::release_of_api(SLURM_VERSION_NUM(46, 0, 0)), 0);
    ck_assert_uint_eq(spank_vm::running_release() >> 8, SLURM_VERSION_NUMBER >> 8);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("slurmd_identity");
    tcase_add_loop_test(tests, cores_are_inferred_as_slurm_does, 0,
                        static_cast<int>(std::size(cores_rows)));
    tcase_add_loop_test(tests, name_is_the_one_that_slurmd_has, 0,
                        static_cast<int>(std::size(name_rows)));
    tcase_add_test(tests, what_is_not_said_is_slurms_default);
    tcase_add_test(tests, what_is_said_holds);
    tcase_add_loop_test(tests, other_nodes_are_where_slurm_conf_says, 0,
                        static_cast<int>(std::size(address_rows)));
    tcase_add_test(tests, dynamic_node_says_itself_what_it_has);
    tcase_add_test(tests, releases_go_by_the_number_of_the_api);
    return run("slurmd_identity", tests);
}

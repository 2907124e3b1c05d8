// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order in which cpusets change, on directories that look like Slurm's cgroups.
#include "run.hpp"
#include "spank_vm/agent/cpusets.hpp"
#include "temporary_directory.hpp"

#include <algorithm>
#include <map>
#include <sys/inotify.h>
#include <unistd.h>
#include <vector>

using namespace vmall::agent;

namespace {

const JobOnNode job = {5, 7};
const std::string v1_job = "cpuset/slurm_n1/uid_5/job_7";
const std::string v2_job = "system.slice/n1_slurmstepd.scope/job_7";

// A cgroup hierarchy of plain files.
class Hierarchy {
  public:
    void add(const std::string &cgroup, const std::string &cpus) {
        std::filesystem::create_directories(directory_ / cgroup);
        write_content(directory_ / (cgroup + "/cpuset.cpus"), cpus + "\n");
    }
    std::string cpus(const std::string &cgroup) const {
        std::string text = content_of(directory_ / (cgroup + "/cpuset.cpus"));
        return text.substr(0, text.find('\n'));
    }
    Cpusets cpusets() const { return {directory_.path(), "n1"}; }
    const TemporaryDirectory &directory() const { return directory_; }

  private:
    TemporaryDirectory directory_;
};

// Which cgroups are written, in which order. (Of equal events in a row inotify keeps one: hence
// IN_OPEN.)
class Recorder {
  public:
    Recorder() : fd_(inotify_init1(IN_NONBLOCK)) {}
    void watch(const Hierarchy &hierarchy, const std::string &cgroup) {
        const std::string path = hierarchy.directory() / (cgroup + "/cpuset.cpus");
        names_[inotify_add_watch(fd_.get(), path.c_str(), IN_OPEN | IN_CLOSE_WRITE)] = cgroup;
    }
    std::vector<std::string> order() {
        alignas(inotify_event) char events[4096];
        const ssize_t size = read(fd_.get(), events, sizeof events);
        std::vector<std::string> names;
        for (ssize_t at = 0; at < size;) {
            const auto *event = reinterpret_cast<const inotify_event *>(events + at);
            if (event->mask & IN_CLOSE_WRITE)
                names.push_back(names_[event->wd]);
            at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        }
        return names;
    }

  private:
    vmall::common::Descriptor fd_;
    std::map<int, std::string> names_;
};

struct Row {
    const char *name;
    std::string job;
    const char *before;
    std::vector<std::uint16_t> target;
    const char *after;
    std::vector<std::string> order; // of writes, relative to the job
    Confinement kept_by = Confinement::cgroup_v1;
};

const std::vector<Row> rows = {
    {"v1 narrows steps first", v1_job, "0-3", {1}, "1", {"/step_0/task_0", "/step_0", ""}},
    {"v1 widens the job first",
     v1_job,
     "1",
     {0, 1, 2, 3},
     "0-3",
     {"", "/step_0", "/step_0/task_0"}},
    {"v1 moves through the union",
     v1_job,
     "0-1",
     {2, 3},
     "2-3",
     {"", "/step_0", "/step_0/task_0", "/step_0/task_0", "/step_0", ""}},
    {"v1 stays", v1_job, "0-1", {1, 0}, "0-1", {}},
    {"v2 narrows steps first",
     v2_job,
     "0-3",
     {0},
     "0",
     {"/step_0/task_0", "/step_0", ""},
     Confinement::cgroup_v2},
    {"v2 widens the job first",
     v2_job,
     "0",
     {0, 1},
     "0-1",
     {"", "/step_0", "/step_0/task_0"},
     Confinement::cgroup_v2},
};

START_TEST(cpusets_change_in_the_order_the_kernel_demands) {
    const Row &row = rows[static_cast<std::size_t>(_i)];
    Hierarchy hierarchy;
    Recorder recorder;
    for (const std::string below : {"", "/step_0", "/step_0/task_0"}) {
        hierarchy.add(row.job + below, row.before);
        recorder.watch(hierarchy, row.job + below);
    }
    ck_assert(hierarchy.cpusets().resize(job, row.target) == row.kept_by);
    for (const std::string below : {"", "/step_0", "/step_0/task_0"})
        ck_assert_text(hierarchy.cpus(row.job + below), row.after);
    const auto order = recorder.order();
    ck_assert_msg(order.size() == row.order.size(), "%s: %zu writes", row.name, order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        ck_assert_text(order[i], row.job + row.order[i]);
}
END_TEST

START_TEST(the_users_cpuset_grows_and_never_shrinks) {
    Hierarchy hierarchy;
    hierarchy.add("cpuset/slurm_n1/uid_5", "0-1");
    hierarchy.add(v1_job, "0-1");
    hierarchy.cpusets().resize(job, {2, 3});
    ck_assert_text(hierarchy.cpus("cpuset/slurm_n1/uid_5"), "0-3");
    hierarchy.cpusets().resize(job, {2});
    ck_assert_text(hierarchy.cpus("cpuset/slurm_n1/uid_5"), "0-3");
}
END_TEST

START_TEST(cpusets_that_are_not_in_use_are_left_alone) {
    Hierarchy hierarchy;
    hierarchy.add(v2_job, "0-3");
    hierarchy.add(v2_job + "/step_0", "");
    hierarchy.add(v2_job + "/step_0/user", "0-3");
    hierarchy.cpusets().resize(job, {1});
    ck_assert_text(hierarchy.cpus(v2_job + "/step_0"), "");
    ck_assert_text(hierarchy.cpus(v2_job + "/step_0/user"), "1");
}
END_TEST

START_TEST(cgroups_that_are_no_cpusets_keep_nobody) {
    Hierarchy hierarchy;
    hierarchy.add(v2_job, "");
    std::filesystem::create_directories(hierarchy.directory() / "freezer/slurm_n1/uid_5/job_7");
    ck_assert(hierarchy.cpusets().resize(job, {1}) == Confinement::affinity);
    ck_assert_text(hierarchy.cpus(v2_job), "");
}
END_TEST

// Slurm calls them by what only its own knowledge of the job tells.
START_TEST(cpusets_of_any_name_are_found_by_the_steps_in_them) {
    const std::string by_sluid = "system.slice/n1_slurmstepd.scope/sEKNKTV3WPV500";
    const std::string other = "system.slice/n1_slurmstepd.scope/sEKNKTV3WPV501";
    const JobOnNode sluid_job = {5, 7, {"/" + by_sluid + "/step_0/slurm", "", "/init.scope"}};
    Hierarchy hierarchy;
    for (const std::string &group : {by_sluid, by_sluid + "/step_0/user", other})
        hierarchy.add(group, "0-3");
    write_content(hierarchy.directory() / (by_sluid + "/step_0/user/cgroup.procs"), "11\n");
    write_content(hierarchy.directory() / (other + "/cgroup.procs"), "12\n");
    ck_assert(hierarchy.cpusets().resize(sluid_job, {1}) == Confinement::cgroup_v2);
    ck_assert_text(hierarchy.cpus(by_sluid), "1");
    ck_assert_text(hierarchy.cpus(by_sluid + "/step_0/user"), "1");
    ck_assert_text(hierarchy.cpus(other), "0-3");
    ck_assert(hierarchy.cpusets().processes(sluid_job) == std::vector<pid_t>{11});
    ck_assert(hierarchy.cpusets().resize(job, {2}) == Confinement::affinity);
}
END_TEST

START_TEST(other_jobs_and_other_nodes_are_left_alone) {
    Hierarchy hierarchy;
    const std::string others[] = {"cpuset/slurm_n1/uid_5/job_70", "cpuset/slurm_n2/uid_5/job_7",
                                  "cpuset/slurm_n1/uid_6/job_7"};
    hierarchy.add(v1_job, "0-3");
    for (const std::string &other : others)
        hierarchy.add(other, "0-3");
    hierarchy.cpusets().resize(job, {1});
    for (const std::string &other : others)
        ck_assert_text(hierarchy.cpus(other), "0-3");
}
END_TEST

START_TEST(a_machine_without_cgroups_is_no_error) {
    const Hierarchy hierarchy;
    ck_assert(hierarchy.cpusets().resize(job, {1}) == Confinement::affinity);
    ck_assert(hierarchy.cpusets().processes(job).empty());
}
END_TEST

START_TEST(nonsense_in_a_cpuset_is_an_error) {
    Hierarchy hierarchy;
    hierarchy.add(v1_job, "0-x");
    ck_assert_contains(refusal<std::exception>([&] { hierarchy.cpusets().resize(job, {1}); }),
                       "0-x");
}
END_TEST

START_TEST(members_are_found_at_every_level) {
    Hierarchy hierarchy;
    hierarchy.add(v1_job + "/step_0", "0");
    hierarchy.add("freezer/slurm_n1/uid_5/job_7/step_1/task_0", "");
    hierarchy.add(v2_job + "/step_0/user/task_0", "");
    write_content(hierarchy.directory() / (v1_job + "/step_0/cgroup.procs"), "11\n12\n");
    write_content(hierarchy.directory() / "freezer/slurm_n1/uid_5/job_7/step_1/task_0/cgroup.procs",
                  "13\n");
    write_content(hierarchy.directory() / (v2_job + "/step_0/user/task_0/cgroup.procs"), "14\n");
    auto members = hierarchy.cpusets().processes(job);
    std::sort(members.begin(), members.end());
    ck_assert(members == (std::vector<pid_t>{11, 12, 13, 14}));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("cpusets");
    tcase_add_loop_test(tests, cpusets_change_in_the_order_the_kernel_demands, 0,
                        static_cast<int>(rows.size()));
    tcase_add_test(tests, the_users_cpuset_grows_and_never_shrinks);
    tcase_add_test(tests, cpusets_that_are_not_in_use_are_left_alone);
    tcase_add_test(tests, cgroups_that_are_no_cpusets_keep_nobody);
    tcase_add_test(tests, cpusets_of_any_name_are_found_by_the_steps_in_them);
    tcase_add_test(tests, other_jobs_and_other_nodes_are_left_alone);
    tcase_add_test(tests, a_machine_without_cgroups_is_no_error);
    tcase_add_test(tests, nonsense_in_a_cpuset_is_an_error);
    tcase_add_test(tests, members_are_found_at_every_level);
    return run("cpusets", tests);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is granted virtual malleability, and what the log says of those who are not.
#include "plugins/cores/malleability.hpp"
#include "run.hpp"

#include <vector>

using namespace vmall::cores;

namespace {

struct Applicant {
    const char *what;
    std::vector<const char *> environment;
    void (*is_like)(vmall_applicant &applicant);
    const char *reason; // empty: nothing is refused
    bool granted;
    bool granted_with_gres; // where the site lets jobs with GRES be folded
};

void plain(vmall_applicant &) {}
void with_gres(vmall_applicant &applicant) {
    applicant.gres = true;
}
void folded_with_gres(vmall_applicant &applicant) {
    applicant.gres = applicant.folded_with_gres = true;
}
void with_whole_nodes(vmall_applicant &applicant) {
    applicant.whole_nodes = true;
}
void fixed_by_slurm(vmall_applicant &applicant) {
    applicant.fixed = "its nodes are for one user only";
}

const std::vector<Applicant> applicants = {
    {"a job that did not ask", {"VMALL_OF_OTHERS=1"}, plain, "", false, false},
    {"one that opted out, with GRES", {"VMALL_NO_VM=1"}, with_gres, "", false, false},
    {"one that asked", {"VMALL_PROCS=4"}, plain, "", true, true},
    {"GRES", {"VMALL_CLASS=long"}, with_gres, "it has GRES (FoldGres of vmall.conf)", false, true},
    {"GRES, of a folded job", {"VMALL_CLASS=long"}, folded_with_gres, "", true, true},
    {"whole nodes",
     {"VMALL_CLASS=long"},
     with_whole_nodes,
     "it takes whole nodes (--exclusive or the partition's OverSubscribe)",
     false,
     false},
    {"what Slurm knows",
     {"VMALL_CLASS=long"},
     fixed_by_slurm,
     "its nodes are for one user only",
     false,
     false},
    {"a request that our options would not have sent",
     {"VMALL_CLASS=so\nso"},
     plain,
     "VMALL_CLASS: \"so?so\" is not a class: give short or long",
     false,
     false},
};

START_TEST(is_granted_or_refused_with_a_reason) {
    const Applicant &row = applicants[_i];
    vmall_applicant applicant = {};
    applicant.spank_environment = row.environment.data();
    applicant.spank_environment_count = static_cast<std::uint32_t>(row.environment.size());
    row.is_like(applicant);
    const Malleability found = malleability_of(applicant, false);
    const std::string refusal =
        "asked for virtual malleability and is scheduled like the others: " +
        std::string(row.reason);
    ck_assert_text(found.refusal, *row.reason ? refusal : "");
    ck_assert_msg(found.granted() == row.granted, "%s", row.what);
    ck_assert_msg(is_malleable(&applicant, true) == row.granted_with_gres, "%s", row.what);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("malleability");
    tcase_add_loop_test(tests, is_granted_or_refused_with_a_reason, 0,
                        static_cast<int>(applicants.size()));
    return run("malleability", tests);
}

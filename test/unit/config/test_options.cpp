// SPDX-License-Identifier: GPL-2.0-or-later
//
// The --vm-* options against a stand-in for Slurm's side of SPANK. Check forks for every test, so
// each begins with options that nobody has typed.
#include "config/job_request.hpp"
#include "run.hpp"
#include "spank_stand_in.hpp"
#include "spank_vm/options/options.hpp"

#include <iterator>
#include <map>
#include <vector>

using namespace vmall;
using test::slurm;

namespace {

using Typed = std::vector<std::pair<const char *, const char *>>;
using Variables = std::map<std::string, std::string>;

// The callbacks' sum: 0 if all were accepted.
int type(const Typed &typed) {
    const int remote = slurm.context == S_CTX_REMOTE;
    int refused = 0;
    for (const auto &[name, argument] : typed) {
        const spank_option &option = slurm.options.at(name);
        refused += option.cb(option.val, argument, remote);
    }
    return refused;
}

struct Submission {
    Typed typed;
    Variables sent;
    bool asked;
};

const std::vector<Submission> submissions = {
    {{}, {}, false},
    {{{"vm-class", "SHORT"}}, {{"VMALL_CLASS", "short"}}, true},
    {{{"vm-procs", "pow2:8"}}, {{"VMALL_PROCS", "pow2:8"}}, true},
    {{{"vm-estimate", "1:30"}}, {{"VMALL_ESTIMATE", "90"}}, true},
    {{{"vm-runtime", "queues=kernel"}}, {{"VMALL_RUNTIME_SETTINGS", "queues=kernel"}}, true},
    {{{"no-vm", nullptr}}, {{"VMALL_NO_VM", "1"}}, false},
    {{{"no-vm", "(null)"}},
     {{"VMALL_NO_VM", "1"}},
     false}, // what Slurm passes from the environment
    {{{"vm-class", "short"}, {"vm-class", "long"}}, {{"VMALL_CLASS", "long"}}, true},
    {{{"vm-class", "long"}, {"vm-procs", "4,2"}, {"vm-estimate", "2-0"}},
     {{"VMALL_CLASS", "long"}, {"VMALL_PROCS", "4,2"}, {"VMALL_ESTIMATE", "172800"}},
     true},
};

START_TEST(submission_sends_what_was_typed) {
    const Submission &row = submissions[_i];
    ck_assert_int_eq(spank_vm::register_options(nullptr), 0);
    ck_assert_int_eq(type(row.typed), 0);
    ck_assert_int_eq(spank_vm::publish_options(nullptr), 0);
    ck_assert(slurm.job_control == row.sent);
    ck_assert_int_eq(spank_vm::vm_asked(), row.asked);
    ck_assert_text(slurm.errors, "");

    std::vector<std::string> environment;
    for (const auto &[name, value] : slurm.job_control)
        environment.push_back(name + "=" + value);
    std::vector<const char *> entries;
    for (const std::string &entry : environment)
        entries.push_back(entry.c_str());
    ck_assert_int_eq(config::parse_environment(entries.data(), entries.size()).asked, row.asked);
}
END_TEST

struct Mistake {
    const char *option, *argument, *said;
};

const std::vector<Mistake> mistakes = {
    {"vm-class", "medium", "--vm-class: \"medium\" is not a class: give short or long\n"},
    {"vm-class", nullptr, "--vm-class: \"\" is not a class"},
    {"vm-procs", "0", "--vm-procs: \"0\" is not a process count: give counts from 1 to"},
    {"vm-runtime", "spin", "--vm-runtime: \"spin\" is not one of coscheduling=, next=, queues="},
    {"vm-runtime", "queues=x", "--vm-runtime: queues: \"x\" is not one of local, kernel, detect\n"},
    {"vm-estimate", "soon", "--vm-estimate: \"soon\" is not a time: give minutes, "},
};

START_TEST(a_mistake_is_refused_and_explained) {
    const Mistake &row = mistakes[_i];
    ck_assert_int_eq(spank_vm::register_options(nullptr), 0);
    ck_assert_int_lt(type({{row.option, row.argument}}), 0);
    ck_assert_contains(slurm.errors, row.said);
    ck_assert(!spank_vm::vm_asked());
}
END_TEST

const char *const asking[][2] = {
    {"vm-class", "long"}, {"vm-procs", "2"}, {"vm-estimate", "5"}, {"vm-runtime", "next=sender"}};

START_TEST(opting_out_takes_back_what_was_asked) {
    spank_vm::register_options(nullptr);
    type({{"no-vm", nullptr}, {asking[_i][0], asking[_i][1]}});
    ck_assert_int_eq(spank_vm::publish_options(nullptr), 0);
    ck_assert(slurm.job_control == Variables({{"VMALL_NO_VM", "1"}}));
    ck_assert(!spank_vm::vm_asked());
    ck_assert_text(slurm.errors, "");
}
END_TEST

START_TEST(submission_fails_if_slurm_does_not_take_the_request) {
    slurm.refuses_environment = true;
    spank_vm::register_options(nullptr);
    type({{"vm-class", "long"}});
    ck_assert_int_lt(spank_vm::publish_options(nullptr), 0);
    ck_assert_contains(slurm.errors, "cannot put VMALL_CLASS into the job's SPANK environment: no");
}
END_TEST

START_TEST(contexts_without_options_register_none) {
    for (const spank_context_t context : {S_CTX_SLURMD, S_CTX_JOB_SCRIPT, S_CTX_ERROR}) {
        slurm.context = context;
        ck_assert_int_eq(spank_vm::register_options(nullptr), 0);
    }
    ck_assert(slurm.options.empty());
}
END_TEST

START_TEST(a_step_knows_that_its_job_asked_from_the_options) {
    slurm.context = S_CTX_REMOTE;
    spank_vm::register_options(nullptr);
    type({{"vm-procs", "4"}});
    ck_assert_int_eq(spank_vm::publish_options(nullptr), 0);
    ck_assert(spank_vm::vm_asked());
    ck_assert(slurm.job_control.empty());
}
END_TEST

START_TEST(a_step_knows_from_the_script_that_its_job_takes_part) {
    slurm.context = S_CTX_REMOTE;
    spank_vm::register_options(nullptr);
    slurm.script["SLURM_SPANK_VMALL_NO_VM"] = "1";
    spank_vm::publish_options(nullptr);
    ck_assert(!spank_vm::vm_asked());
    for (const char *name : {"SLURM_SPANK_VMALL_PROCS", "SLURM_SPANK_VMALL_TAKES_PART"}) {
        slurm.script[name] = "1";
        spank_vm::publish_options(nullptr);
        ck_assert(spank_vm::vm_asked());
        slurm.script.erase(name);
    }
}
END_TEST

START_TEST(a_step_goes_by_its_own_list_before_the_scripts) {
    slurm.context = S_CTX_REMOTE;
    spank_vm::register_options(nullptr);
    spank_vm::publish_options(nullptr);
    ck_assert_text(config::in_words(spank_vm::runtime_asked()), "");
    slurm.script["SLURM_SPANK_VMALL_RUNTIME_SETTINGS"] = "next=sender";
    spank_vm::publish_options(nullptr);
    ck_assert(spank_vm::vm_asked());
    ck_assert_text(config::in_words(spank_vm::runtime_asked()), "next=sender");
    type({{"vm-runtime", "queues=kernel"}});
    ck_assert_text(config::in_words(spank_vm::runtime_asked()), "queues=kernel");
}
END_TEST

struct Choice {
    spank_context_t context;
    const char *surrounding_job;
    const char *procs;
    bool refused;
    bool starts_unfolded;
};

const std::vector<Choice> choices = {
    {S_CTX_LOCAL, nullptr, "8,4", true, false},      // srun ./app
    {S_CTX_LOCAL, nullptr, "8", false, true},        // srun -n8 ./app
    {S_CTX_LOCAL, "7", "8,4", false, false},         // srun in a script
    {S_CTX_ALLOCATOR, nullptr, "8,4", false, false}, // sbatch, salloc
};

START_TEST(srun_alone_refuses_a_choice_it_would_not_follow_and_starts_unfolded) {
    const Choice &row = choices[_i];
    unsetenv("SLURM_JOB_ID");
    if (row.surrounding_job)
        setenv("SLURM_JOB_ID", row.surrounding_job, 1);
    slurm.context = row.context;
    spank_vm::register_options(nullptr);
    type({{"vm-procs", row.procs}});
    ck_assert_int_eq(spank_vm::publish_options(nullptr) != 0, row.refused);
    ck_assert_int_eq(slurm.errors.find("srun starts as many tasks") != std::string::npos,
                     row.refused);
    ck_assert_int_eq(slurm.job_control.count(config::env_starts_unfolded), row.starts_unfolded);
}
END_TEST

struct Inherited {
    spank_context_t context;
    const char *job_id;
    bool kept;
};

const std::vector<Inherited> inherited = {
    {S_CTX_ALLOCATOR, "7", false},    // a script submits another job
    {S_CTX_LOCAL, "7", true},         // srun in a script: a step of the job
    {S_CTX_ALLOCATOR, nullptr, true}, // set by the user
};

START_TEST(a_job_submitted_by_a_job_does_not_inherit) {
    const Inherited &row = inherited[_i];
    const std::vector<std::string> variables = {
        "SLURM_SPANK__SLURM_SPANK_OPTION_spank_vm_vm_class",
        "SLURM_SPANK__SLURM_SPANK_OPTION_spank_vm_vm_procs",
        "SLURM_SPANK__SLURM_SPANK_OPTION_spank_vm_vm_estimate",
        "SLURM_SPANK__SLURM_SPANK_OPTION_spank_vm_no_vm",
        "_SLURM_SPANK_OPTION_spank_vm_vm_class",
        "SLURM_SPANK_VMALL_CLASS",
        "SLURM_SPANK_VMALL_PROCS",
        "SLURM_SPANK_VMALL_ESTIMATE",
        "SLURM_SPANK_VMALL_RUNTIME_SETTINGS",
        "SLURM_SPANK__SLURM_SPANK_OPTION_spank_vm_vm_runtime",
        "SLURM_SPANK_VMALL_NO_VM",
        "SLURM_SPANK_VMALL_STARTS_UNFOLDED",
        "SLURM_SPANK_VMALL_TAKES_PART",
        "VMALL_CPUS_PER_NODE",
        "VMALL_CONTROL",
        "VMALL_ALLOTMENT",
    };
    for (const std::string &name : variables)
        setenv(name.c_str(), "x", 1);
    unsetenv("SLURM_JOB_ID");
    if (row.job_id)
        setenv("SLURM_JOB_ID", row.job_id, 1);
    slurm.context = row.context;
    spank_vm::register_options(nullptr);
    for (const std::string &name : variables)
        ck_assert_msg((getenv(name.c_str()) != nullptr) == row.kept, "%s", name.c_str());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("options");
    tcase_add_loop_test(tests, submission_sends_what_was_typed, 0,
                        static_cast<int>(submissions.size()));
    tcase_add_loop_test(tests, a_mistake_is_refused_and_explained, 0,
                        static_cast<int>(mistakes.size()));
    tcase_add_loop_test(tests, opting_out_takes_back_what_was_asked, 0,
                        static_cast<int>(std::size(asking)));
    tcase_add_test(tests, submission_fails_if_slurm_does_not_take_the_request);
    tcase_add_test(tests, contexts_without_options_register_none);
    tcase_add_test(tests, a_step_knows_that_its_job_asked_from_the_options);
    tcase_add_test(tests, a_step_knows_from_the_script_that_its_job_takes_part);
    tcase_add_test(tests, a_step_goes_by_its_own_list_before_the_scripts);
    tcase_add_loop_test(tests, srun_alone_refuses_a_choice_it_would_not_follow_and_starts_unfolded,
                        0, static_cast<int>(choices.size()));
    tcase_add_loop_test(tests, a_job_submitted_by_a_job_does_not_inherit, 0,
                        static_cast<int>(inherited.size()));
    return run("options", tests);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the --vm-* options accept, and the hostile SPANK environment of a job.
#include "config/job_request.hpp"
#include "run.hpp"

#include <sys/mman.h>
#include <unistd.h>

using namespace vmall;
using namespace vmall::config;
using policy::JobClass;
using policy::Seconds;

namespace {

struct Accepted {
    std::string text;
    common::Sizes sizes;
};

const std::vector<Accepted> sizes = {
    {"1", {1}},
    {"16,8,4", {4, 8, 16}},
    {"4,4,4", {4}},
    {"0016", {16}},
    {"1-4", {1, 2, 3, 4}},
    {"7-7", {7}},
    {"pow2:64", {1, 2, 4, 8, 16, 32, 64}},
    {"pow2:63", {1, 2, 4, 8, 16, 32}},
    {"pow2:1", {1}},
    {"POW2:2", {1, 2}},
    {"square:49", {1, 4, 9, 16, 25, 36, 49}},
    {"square:48", {1, 4, 9, 16, 25, 36}},
    {"pow2:8,3,2-4", {1, 2, 3, 4, 8}},
    {"65536", {65536}},
    {"pow2:4,pow2:16,pow2:2", {1, 2, 4, 8, 16}},
    {"square:9,square:25,square:1", {1, 4, 9, 16, 25}},
    {"5-7,1-3,2-3,7", {1, 2, 3, 5, 6, 7}},
};

START_TEST(sizes_accepted) {
    ck_assert_msg(parse_sizes(sizes[_i].text) == sizes[_i].sizes, "%s", sizes[_i].text.c_str());
}
END_TEST

START_TEST(sizes_of_the_widest_range) {
    const auto all = parse_sizes("1-65536,pow2:65536,square:65536");
    ck_assert(all == common::Sizes::from_to(1, 65536));
    ck_assert_uint_eq(all.ranges().size(), 1);
}
END_TEST

const std::vector<std::string> bad_sizes = {
    "",
    "0",
    "-1",
    "+1",
    "1.5",
    "a",
    "16,,4",
    ",16",
    "16,",
    "16;8",
    "16, 8",
    " 16",
    "1-",
    "-",
    "1-2-3",
    "0-4",
    "5-4",
    "1-65537",
    "65537",
    "4294967297",
    "99999999999999999999",
    "pow2:",
    "pow2:0",
    "pow2:-1",
    "pow2:1-2",
    "pow2",
    "pow3:9",
    "square:",
    "square:0",
    "square:x",
    "cube:8",
    "16\n",
    "16\x01",
    "1e3",
    "0x10",
    std::string("16\0", 3),
    std::string(1025, '1'),
    "1-65536," + std::string(1100, ','),
};

START_TEST(sizes_refused) {
    const std::string said = refusal<RequestError>([_i] { parse_sizes(bad_sizes[_i]); });
    ck_assert_msg(said != "(accepted)", "%s", bad_sizes[_i].c_str());
    ck_assert_int_lt(static_cast<int>(said.size()), 300);
}
END_TEST

START_TEST(sizes_refusals_say_why) {
    const auto why = [](const char *text) {
        return refusal<RequestError>([=] { parse_sizes(text); });
    };
    ck_assert_contains(why("16,x"),
                       "\"x\" is not a process count: give counts from 1 to 65536 as N");
    ck_assert_contains(why("8-4"), "the range \"8-4\" ends before it begins");
    ck_assert_contains(why(std::string(1025, '1').c_str()), "longer than 1024 characters");
    ck_assert_contains(why("1\033[31m"), "\"1?[31m\"");
}
END_TEST

struct Time {
    const char *text;
    Seconds seconds;
};

const std::vector<Time> times = {
    {"1", 60},
    {"90", 5400},
    {"1:30", 90},
    {"0:01", 1},
    {"90:00", 5400},
    {"1:00:00", 3600},
    {"01:02:03", 3723},
    {"1-0", 86400},
    {"0-1", 3600},
    {"1-2", 93600},
    {"1-2:03", 93780},
    {"1-2:03:04", 93784},
    {"3650-0", highest_time},
};

START_TEST(times_accepted) {
    ck_assert_msg(parse_time(times[_i].text) == times[_i].seconds, "%s", times[_i].text);
}
END_TEST

const std::vector<std::string> bad_times = {
    "",
    "0",
    "0:00",
    "0-0",
    "-1",
    "1-",
    "-",
    "1:",
    ":1",
    "1::2",
    "1:2:3:4",
    "1-2:3:4:5",
    "1-2-3",
    "1:2-3",
    "infinite",
    "UNLIMITED",
    "NONE",
    "1.5",
    "1h",
    " 1",
    "1 ",
    "+1",
    "3650-1",
    "3651-0",
    "87600:00:01",
    "99999999999999999999",
    "5256001",
    "9223372036854775807",
    "9223372036854775807:9223372036854775807:1",
    std::string("1\0", 2),
};

START_TEST(times_refused) {
    const std::string said = refusal<RequestError>([_i] { parse_time(bad_times[_i]); });
    ck_assert_contains(said, "is not a time: give minutes, minutes:seconds");
}
END_TEST

START_TEST(classes) {
    ck_assert(parse_class("short") == JobClass::short_job);
    ck_assert(parse_class("LONG") == JobClass::long_job);
    for (const char *text : {"", "s", "shorter", " long", "short,long"})
        ck_assert_contains(refusal<RequestError>([=] { parse_class(text); }),
                           "is not a class: give short or long");
}
END_TEST

JobRequest read_environment(const std::vector<std::string> &environment) {
    std::vector<const char *> entries;
    for (const std::string &entry : environment)
        entries.push_back(entry.c_str());
    return parse_environment(entries.data(), entries.size());
}

START_TEST(environment_of_a_job_that_did_not_ask) {
    const JobRequest request =
        read_environment({"SPANK_PYXIS=1", "VMALL_CLASSES=x", "VMALL_CLASS",
                          "_SLURM_SPANK_OPTION_spank_vm_vm_class=x", "", "=", "SPANK_",
                          "SPANK_SPANK_VMALL_CLASS=x", "vmall_class=x"});
    ck_assert(!request.asked && !request.opted_out);
    ck_assert(!request.job_class && request.sizes.empty() && !request.estimate);
}
END_TEST

START_TEST(environment_of_a_job_that_asked) {
    const JobRequest request = read_environment(
        {"VMALL_CLASS=long", "SPANK_VMALL_PROCS=16,8,4", "OTHER=1", "VMALL_ESTIMATE=90"});
    ck_assert(request.asked && !request.opted_out);
    ck_assert(request.job_class == JobClass::long_job);
    ck_assert(request.sizes == common::Sizes({4, 8, 16}));
    ck_assert(request.estimate == 90);
}
END_TEST

START_TEST(any_one_option_asks) {
    for (const char *entry : {"VMALL_CLASS=short", "VMALL_PROCS=2", "VMALL_ESTIMATE=1",
                              "VMALL_RUNTIME_SETTINGS=next=sender"})
        ck_assert(read_environment({entry}).asked);
}
END_TEST

START_TEST(opting_out_is_not_asking) {
    const JobRequest request = read_environment({"VMALL_NO_VM=1"});
    ck_assert(request.opted_out && !request.asked);
}
END_TEST

START_TEST(what_srun_says_of_its_step_is_not_asking) {
    const JobRequest request = read_environment({"VMALL_STARTS_UNFOLDED=1"});
    ck_assert(request.starts_unfolded && !request.asked);
    ck_assert(!read_environment({"VMALL_CLASS=long"}).starts_unfolded);
}
END_TEST

// Whoever has written it: it counts only of a job that slurmctld has started.
START_TEST(what_slurmctld_notes_is_not_asking) {
    for (const char *entry : {"VMALL_TAKES_PART=1", "SPANK_VMALL_TAKES_PART=1"}) {
        const JobRequest request = read_environment({entry});
        ck_assert(request.takes_part && !request.asked && !request.opted_out);
    }
    ck_assert(!read_environment({"VMALL_CLASS=long"}).takes_part);
}
END_TEST

struct Hostile {
    std::vector<std::string> environment;
    const char *reason;
};

const std::vector<Hostile> hostile = {
    {{"VMALL_CLASS="}, "VMALL_CLASS: \"\" is not a class"},
    {{"VMALL_CLASS=short=long"}, "VMALL_CLASS: \"short=long\" is not a class"},
    {{"SPANK_VMALL_CLASS=%s%n"}, "VMALL_CLASS: \"%s%n\" is not a class"},
    {{"VMALL_CLASS=" + std::string(1 << 20, 'x')}, "xxx...\" is not a class"},
    {{"VMALL_PROCS="}, "VMALL_PROCS: \"\" is not a process count"},
    {{"VMALL_PROCS=1-4000000000"}, "VMALL_PROCS: \"1-4000000000\" is not a process count"},
    {{"VMALL_PROCS=" + std::string(1 << 20, ',')},
     "VMALL_PROCS: the list of process counts is longer"},
    {{"VMALL_ESTIMATE=0"}, "VMALL_ESTIMATE: \"0\" is not a number of seconds from 1 to 315360000"},
    {{"VMALL_ESTIMATE=315360001"}, "VMALL_ESTIMATE: \"315360001\" is not"},
    {{"VMALL_ESTIMATE=-5"}, "VMALL_ESTIMATE: \"-5\" is not"},
    {{"VMALL_ESTIMATE=1:30"}, "VMALL_ESTIMATE: \"1:30\" is not"},
    {{"VMALL_ESTIMATE=18446744073709551617"}, "VMALL_ESTIMATE: \"18446744073709551617\" is not"},
    {{"VMALL_RUNTIME_SETTINGS="},
     "VMALL_RUNTIME_SETTINGS: \"\" is not one of coscheduling=, next="},
    {{"VMALL_RUNTIME_SETTINGS=" + std::string(1 << 20, ',')},
     "VMALL_RUNTIME_SETTINGS: the list is longer than 256 characters"},
    {{"VMALL_RUNTIME_SETTINGS=queues=%n\033"},
     "VMALL_RUNTIME_SETTINGS: queues: \"%n?\" is not one of local, kernel"},
    {{"VMALL_NO_VM=yes"}, "VMALL_NO_VM: \"yes\" is not 1"},
    {{"VMALL_NO_VM="}, "VMALL_NO_VM: \"\" is not 1"},
    {{"VMALL_STARTS_UNFOLDED=0"}, "VMALL_STARTS_UNFOLDED: \"0\" is not 1"},
    {{"VMALL_TAKES_PART=0"}, "VMALL_TAKES_PART: \"0\" is not 1"},
    {{"VMALL_TAKES_PART=1", "SPANK_VMALL_TAKES_PART=1"}, "VMALL_TAKES_PART: given twice"},
    {{"VMALL_CLASS=short", "VMALL_CLASS=short"}, "VMALL_CLASS: given twice"},
    {{"VMALL_CLASS=short", "SPANK_VMALL_CLASS=long"}, "VMALL_CLASS: given twice"},
    {{"VMALL_NO_VM=1", "VMALL_CLASS=short"}, "VMALL_NO_VM: contradicts"},
    {{"VMALL_ESTIMATE=5", "VMALL_NO_VM=1"}, "VMALL_NO_VM: contradicts"},
};

START_TEST(hostile_environment) {
    const std::string said =
        refusal<RequestError>([_i] { read_environment(hostile[_i].environment); });
    ck_assert_contains(said, hostile[_i].reason);
    ck_assert_int_lt(static_cast<int>(said.size()), 300);
}
END_TEST

// A text that ends, without a zero, where reading on ends the process.
class Cliff {
  public:
    explicit Cliff(const std::string &text) {
        ck_assert(memory_ != MAP_FAILED);
        ck_assert_int_eq(mprotect(memory_ + page_, page_, PROT_NONE), 0);
        text.copy(begin_ = memory_ + page_ - text.size(), text.size());
    }
    Cliff(const Cliff &) = delete;
    Cliff &operator=(const Cliff &) = delete;
    ~Cliff() { munmap(memory_, 2 * page_); }
    const char *begin() const { return begin_; }

  private:
    std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    char *memory_ = static_cast<char *>(
        mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    char *begin_ = nullptr;
};

START_TEST(what_others_have_in_the_environment_is_not_read) {
    const Cliff other("PYXIS="), prefixed("SPANK_PYXIS="), longer("VMALL_CLASSES");
    const char *environment[] = {other.begin(), prefixed.begin(), longer.begin(),
                                 "VMALL_CLASS=long"};
    ck_assert(parse_environment(environment, 4).job_class == JobClass::long_job);
}
END_TEST

START_TEST(of_a_value_that_is_too_long_only_the_beginning_is_read) {
    const Cliff procs("VMALL_PROCS=" + std::string(1025, '1'));
    const char *environment[] = {procs.begin()};
    ck_assert_contains(refusal<RequestError>([&] { parse_environment(environment, 1); }),
                       "longer than 1024");
}
END_TEST

START_TEST(an_environment_of_absurdly_many_variables_is_not_read) {
    const std::vector<const char *> many(highest_variable_count + 1, "A=1");
    ck_assert(!parse_environment(many.data(), highest_variable_count).asked);
    ck_assert_contains(refusal<RequestError>([&] { parse_environment(many.data(), many.size()); }),
                       "more than 4096 variables");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("request");
    tcase_add_loop_test(tests, sizes_accepted, 0, static_cast<int>(sizes.size()));
    tcase_add_test(tests, sizes_of_the_widest_range);
    tcase_add_loop_test(tests, sizes_refused, 0, static_cast<int>(bad_sizes.size()));
    tcase_add_test(tests, sizes_refusals_say_why);
    tcase_add_loop_test(tests, times_accepted, 0, static_cast<int>(times.size()));
    tcase_add_loop_test(tests, times_refused, 0, static_cast<int>(bad_times.size()));
    tcase_add_test(tests, classes);
    tcase_add_test(tests, environment_of_a_job_that_did_not_ask);
    tcase_add_test(tests, environment_of_a_job_that_asked);
    tcase_add_test(tests, any_one_option_asks);
    tcase_add_test(tests, opting_out_is_not_asking);
    tcase_add_test(tests, what_srun_says_of_its_step_is_not_asking);
    tcase_add_test(tests, what_slurmctld_notes_is_not_asking);
    tcase_add_test(tests, what_others_have_in_the_environment_is_not_read);
    tcase_add_test(tests, of_a_value_that_is_too_long_only_the_beginning_is_read);
    tcase_add_test(tests, an_environment_of_absurdly_many_variables_is_not_read);
    tcase_add_loop_test(tests, hostile_environment, 0, static_cast<int>(hostile.size()));
    return run("job request", tests);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text of vmall.conf: every key, good and bad, and where errors point.
#include "config/config.hpp"
#include "config/keys.hpp"
#include "config/named.hpp"
#include "run.hpp"

#include <functional>
#include <vector>

using namespace vmall;
using config::Config;
using config::ConfigError;
using config::parse;
using policy::JobClass;

namespace {

struct Good {
    const char *line;
    std::function<bool(const Config &)> means;
};

const config::Standing somebody = {JobClass::short_job, "big", "high", "chem", 0};

const std::vector<Good> good = {
    {"QueueDiscipline=fcfs", [](auto &c) { return c.policy.queue_discipline == "fcfs"; }},
    {"QueueDiscipline=EASY", [](auto &c) { return c.policy.queue_discipline == "easy"; }},
    {"QueueDiscipline=conservative",
     [](auto &c) { return c.policy.queue_discipline == "conservative"; }},
    {"QueueDiscipline=conservative",
     [](auto &c) { return c.policy.queue_discipline == "conservative"; }},
    {"QueueDiscipline=least-work",
     [](auto &c) { return c.policy.queue_discipline == "least-work"; }},
    {"BackfillOrder=arrival",
     [](auto &c) { return c.policy.backfill_order == policy::BackfillOrder::arrival; }},
    {"BackfillOrder=shortest",
     [](auto &c) { return c.policy.backfill_order == policy::BackfillOrder::shortest; }},
    {"Sizing=rigid", [](auto &c) { return c.policy.sizing == "rigid"; }},
    {"Sizing=psa", [](auto &c) { return c.policy.sizing == "psa"; }},
    {"Sizing=folding", [](auto &c) { return c.policy.sizing == "folding"; }},
    {"Sizing=adaptive", [](auto &c) { return c.policy.sizing == "adaptive"; }},
    {"Sizing=fjt", [](auto &c) { return c.policy.sizing == "fjt"; }},
    {"MaxMpl=4", [](auto &c) { return c.policy.max_mpl == 4; }},
    {"Patience=0", [](auto &c) { return c.policy.patience == 0; }},
    {"Patience=1000000", [](auto &c) { return c.policy.patience == 1000000; }},
    {"MaxTimeLost=0", [](auto &c) { return c.policy.max_time_lost == 0; }},
    {"MaxTimeLost=20", [](auto &c) { return c.policy.max_time_lost == 20; }},
    {"WindowPolicy=shrink", [](auto &c) { return c.policy.window_policy == "shrink"; }},
    {"WindowPolicy=requeue", [](auto &c) { return c.policy.window_policy == "requeue"; }},
    {"WindowPolicy=keep", [](auto &c) { return c.policy.window_policy == "keep"; }},
    {"WindowRule=order", [](auto &c) { return c.policy.window_rule == policy::WindowRule::order; }},
    {"WindowRule=clock", [](auto &c) { return c.policy.window_rule == policy::WindowRule::clock; }},
    {"WindowRule=either",
     [](auto &c) { return c.policy.window_rule == policy::WindowRule::either; }},
    {"WindowMpl=2", [](auto &c) { return c.policy.window_mpl == 2; }},
    {"LendWholeNodes=account",
     [](auto &c) { return c.lend_whole_nodes == config::LendWholeNodes::account; }},
    {"FoldGres=yes", [](auto &c) { return c.fold_gres; }},
    {"FoldUnserved=yes", [](auto &c) { return c.fold_unserved; }},
    {"FoldedWeight=1000", [](auto &c) { return c.policy.folded_weight == 1000; }},
    {"MaxMplPerJob=2", [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 2; }},
    {"MaxMplPerJob=class/long:2",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 4; }},
    {"MaxMplPerJob=1,class/short:2",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 2; }},
    {"MaxMplPerJob=class/short:2,4",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 2; }},
    {"MaxMplPerJob=1,class/short:4,account/chem:3",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 3; }},
    {"MaxMplPerJob=1,qos/high:2,partition/big:4",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 2; }},
    {"MaxMplPerJob=1,qos/low:2,partition/high:4,account/short:3",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 1; }},
    {"MaxMplPerJob=4,user/root:3",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 3; }},
    {"MaxMplPerJob=4,user/1:3",
     [](auto &c) { return c.max_mpl_per_job.lowest_for(somebody) == 4; }},
    {"TakePart=none", [](auto &c) { return c.take_part.highest() == 0; }},
    {"TakePart=none,partition/big:yes,qos/low:no",
     [](auto &c) { return c.take_part.lowest_for(somebody) == 1; }},
    {"TakePart=partition/big:yes,user/0:no",
     [](auto &c) { return c.take_part.lowest_for(somebody) == 0; }},
    {"MaxFoldsPerJob=0", [](auto &c) { return c.max_folds_per_job.lowest_for(somebody) == 0; }},
    {"MaxFoldsPerJob=Unlimited",
     [](auto &c) { return c.max_folds_per_job.lowest_for(somebody) == config::unlimited_folds; }},
    {"MaxFoldsPerJob=class/short:unlimited,7",
     [](auto &c) { return c.max_folds_per_job.lowest_for(somebody) == config::unlimited_folds; }},
    {"MaxResizeLoss=100",
     [](auto &c) {
         return c.max_resize_loss.lowest_for(somebody) == policy::no_resize_limit &&
                c.policy.max_resize_loss == policy::no_resize_limit;
     }},
    {"MaxResizeLoss=1,class/short:10,partition/big:20",
     [](auto &c) {
         return c.max_resize_loss.lowest_for(somebody) == 10 && c.policy.max_resize_loss == 1;
     }},
    {"LimitExtension=0", [](auto &c) { return c.limit_extension.lowest_for(somebody) == 0; }},
    {"LimitExtension=Unlimited,class/short:600,partition/big:31536000",
     [](auto &c) { return c.limit_extension.lowest_for(somebody) == 600; }},
    {"LimitExtension=partition/none:0",
     [](auto &c) { return c.limit_extension.lowest_for(somebody) == config::unlimited_extension; }},
    {"HardLimits=none", [](auto &c) { return !c.hard_limits.partition && !c.hard_limits.qos; }},
    {"HardLimits=QOS", [](auto &c) { return !c.hard_limits.partition && c.hard_limits.qos; }},
    {"HardLimits=qos,partition",
     [](auto &c) { return c.hard_limits.partition && c.hard_limits.qos; }},
    {"ClassByPartition=debug:short,batch:Long",
     [](auto &c) {
         return c.class_by_partition ==
                std::map<std::string, JobClass>{{"debug", JobClass::short_job},
                                                {"batch", JobClass::long_job}};
     }},
    {"ShortTimeLimit=1:30:00", [](auto &c) { return c.short_time_limit == 5400; }},
    {"ScheduleInterval=3600", [](auto &c) { return c.schedule_interval == 3600; }},
    {"JobNote=no", [](auto &c) { return !c.job_note; }},
    {"SurveyInterval=0", [](auto &c) { return c.survey_interval == 0; }},
    {"HistorySize=1024", [](auto &c) { return c.history_size == 1024; }},
    {"QueueDiscipline=Equip++", [](auto &c) { return c.policy.queue_discipline == "equip++"; }},
    {"QueueDiscipline=equal-eff++",
     [](auto &c) { return c.policy.queue_discipline == "equal-eff++"; }},
    {"TargetEfficiency=85", [](auto &c) { return c.policy.sharing.target_efficiency == 0.85; }},
    {"ResizeRetryInterval=1", [](auto &c) { return c.resize_retry_interval == 1; }},
    {"AgentPort=65535",
     [](auto &c) { return !c.agent_port.relative && c.agent_port.on_node(6818) == 65535; }},
    {"AgentPort=+100",
     [](auto &c) { return c.agent_port.relative && c.agent_port.on_node(6818) == 6918; }},
    {"AgentTimeout=2", [](auto &c) { return c.agent_timeout_ms == 2000; }},
    {"AgentTimeout=0.001", [](auto &c) { return c.agent_timeout_ms == 1; }},
    {"AgentTimeout=1.5", [](auto &c) { return c.agent_timeout_ms == 1500; }},
    {"AgentTimeout=600", [](auto &c) { return c.agent_timeout_ms == 600000; }},
    {"ControlPort=1", [](auto &c) { return c.control_port == 1; }},
    {"MetricsAddress=7852", [](auto &c) { return c.metrics_address == "127.0.0.1:7852"; }},
    {"MetricsAddress=0.0.0.0:1", [](auto &c) { return c.metrics_address == "0.0.0.0:1"; }},
    {"MetricsAddress=[::1]:7852", [](auto &c) { return c.metrics_address == "[::1]:7852"; }},
    {"RuntimeDir=/run/a-%n/%n", [](auto &c) { return c.runtime_dir == "/run/a-%n/%n"; }},
    {"VmrtLibrary=/opt/libvmrt.so", [](auto &c) { return c.vmrt_library == "/opt/libvmrt.so"; }},
    {"Coscheduling=none",
     [](auto &c) { return c.runtime.coscheduling == VMALL_COSCHEDULING_NONE; }},
    {"Coscheduling=SELF",
     [](auto &c) { return c.runtime.coscheduling == VMALL_COSCHEDULING_SELF; }},
    {"NextRank=messages", [](auto &c) { return c.runtime.next_rank == VMALL_NEXT_MESSAGES; }},
    {"NextRank=sender", [](auto &c) { return c.runtime.next_rank == VMALL_NEXT_SENDER; }},
    {"NextRank=round-robin", [](auto &c) { return c.runtime.next_rank == VMALL_NEXT_ROUND_ROBIN; }},
    {"RunQueues=kernel", [](auto &c) { return c.runtime.run_queues == VMALL_QUEUES_KERNEL; }},
    {"RunQueues=detect", [](auto &c) { return c.runtime.run_queues == VMALL_QUEUES_DETECTED; }},
    {"RunQueues=local", [](auto &c) { return c.runtime.run_queues == VMALL_QUEUES_LOCAL; }},
    {"MungeSocket=/run/m", [](auto &c) { return c.munge_socket == "/run/m"; }},
    // How lines may be written.
    {"  maxmpl =  3  # comment", [](auto &c) { return c.policy.max_mpl == 3; }},
    {"\tMAXMPL\t=\t3\r", [](auto &c) { return c.policy.max_mpl == 3; }},
    {"", [](auto &c) { return c.policy.max_mpl == 4; }},
    {"\r", [](auto &c) { return c.policy.max_mpl == 4; }},
    {"# MaxMpl=3", [](auto &c) { return c.policy.max_mpl == 4; }},
};

START_TEST(accepts) {
    const Good &row = good[_i];
    const Config parsed = parse(row.line, "vmall.conf");
    ck_assert_msg(row.means(parsed), "%s", row.line);
}
END_TEST

START_TEST(vmsim_accepts_more) {
    const auto simulated = [](const char *line) {
        return parse(line, "policy.conf", config::User::vmsim).policy;
    };
    ck_assert(simulated("QueueDiscipline=sjf").queue_discipline == "sjf");
    ck_assert(simulated("QueueDiscipline=ljf").queue_discipline == "ljf");
    ck_assert(simulated("WindowPolicy=kill").window_policy == "kill");
    ck_assert(simulated("WindowPolicy=suspend").window_policy == "suspend");
}
END_TEST

struct Bad {
    std::string line;
    std::string reason; // what the error says, after path and line
};

const std::string too_long(5000, 'x');

const std::vector<Bad> bad = {
    {"QueueDiscipline=lifo",
     "QueueDiscipline: \"lifo\" is not one of fcfs, sjf, ljf, easy, "
     "conservative, least-work, equipartition, equip++, equal-efficiency, equal-eff++"},
    {"BackfillOrder=longest", "BackfillOrder: \"longest\" is not one of arrival, shortest"},
    {"Sizing=big", "Sizing: \"big\" is not one of rigid, fjt, psa, folding, adaptive"},
    {"Sizing=equip++", "Sizing: \"equip++\" is not one of rigid"},
    {"TargetEfficiency=101", "TargetEfficiency: \"101\" is not a whole number from 0 to 100"},
    {"SurveyInterval=3601", "SurveyInterval: \"3601\" is not a whole number from 0 to 3600"},
    {"HistorySize=1025", "HistorySize: \"1025\" is not a whole number from 0 to 1024"},
    {"MaxMpl=0", "MaxMpl: \"0\" is not a whole number from 1 to 4"},
    {"MaxMpl=5", "MaxMpl: \"5\" is not"},
    {"MaxMpl=+2", "MaxMpl: \"+2\" is not"},
    {"MaxMpl=-1", "MaxMpl: \"-1\" is not"},
    {"MaxMpl=2x", "MaxMpl: \"2x\" is not"},
    {"MaxMpl=2 3", "MaxMpl: \"2 3\" is not"},
    {"MaxMpl=0x2", "MaxMpl: \"0x2\" is not"},
    {"Patience=-1", "Patience: \"-1\" is not a whole number from 0 to 1000000"},
    {"Patience=1000001", "Patience: \"1000001\" is not"},
    {"MaxTimeLost=101", "MaxTimeLost: \"101\" is not a whole number from 0 to 100"},
    {"MaxTimeLost=5%", "MaxTimeLost: \"5%\" is not"},
    {"QueueDiscipline=sjf", "QueueDiscipline: \"sjf\" is for vmsim only: Slurm orders its queue"},
    {"QueueDiscipline=LJF", "QueueDiscipline: \"LJF\" is for vmsim only: Slurm orders its queue"},
    {"WindowPolicy=kill", "WindowPolicy: \"kill\" is for vmsim only: it is there to compare"},
    {"WindowPolicy=Suspend", "WindowPolicy: \"Suspend\" is for vmsim only: it is there to compare"},
    {"WindowPolicy=pray",
     "WindowPolicy: \"pray\" is not one of shrink, requeue, keep, kill, suspend"},
    {"WindowRule=never", "WindowRule: \"never\" is not one of order, clock, either"},
    {"WindowMpl=8", "WindowMpl: \"8\" is not a whole number from 1 to 4"},
    {"LendWholeNodes=users",
     "LendWholeNodes: \"users\" is not one of no, user, account, partition, yes"},
    {"FoldGres=gpu", "FoldGres: \"gpu\" is not one of no, yes"},
    {"FoldUnserved=static", "FoldUnserved: \"static\" is not one of no, yes"},
    {"JobNote=never", "JobNote: \"never\" is not one of no, yes"},
    {"FoldedWeight=1001", "FoldedWeight: \"1001\" is not a whole number from 0 to 1000"},
    {"MaxMplPerJob=5", "MaxMplPerJob: \"5\" is not a whole number from 1 to 4"},
    {"MaxMplPerJob=class/short:0", "MaxMplPerJob: \"0\" is not a whole number from 1 to 4"},
    {"MaxMplPerJob=short:1",
     "MaxMplPerJob: \"short:1\" is not class/short, class/long, partition/"},
    {"MaxMplPerJob=class/medium:1", "MaxMplPerJob: \"class/medium:1\" is not class/short"},
    {"MaxMplPerJob=qos/:1", "MaxMplPerJob: \"qos/:1\" is not class/short"},
    {"MaxMplPerJob=user/:1", "MaxMplPerJob: \"user/:1\" is not class/short"},
    {"MaxMplPerJob=user/root:1,user/0:2", "MaxMplPerJob: \"user/0\" is given twice"},
    {"TakePart=partition/big", "TakePart: \"partition/big\" is not one of none, no, yes"},
    {"TakePart=account/chem:2", "TakePart: \"2\" is not one of none, no, yes"},
    {"TakePart=class/long:yes", "TakePart: \"class/long:yes\" has a class: only partition/NAME"},
    {"MaxMplPerJob=2, qos/a:1", "MaxMplPerJob: \" qos/a:1\" is not class/short"},
    {"MaxMplPerJob=2,", "MaxMplPerJob: \"\" is not a whole number from 1 to 4"},
    {"MaxMplPerJob=2,3", "MaxMplPerJob: \"3\" is a second number for all jobs"},
    {"MaxMplPerJob=qos/a:1,qos/a:2", "MaxMplPerJob: \"qos/a\" is given twice"},
    {"MaxFoldsPerJob=many",
     "MaxFoldsPerJob: \"many\" is not a whole number from 0 to 1000000, nor unl"},
    {"MaxResizeLoss=5%", "MaxResizeLoss: \"5%\" is not a whole number from 0 to 100"},
    {"MaxResizeLoss=101", "MaxResizeLoss: \"101\" is not a whole number from 0 to 100"},
    {"LimitExtension=31536001",
     "LimitExtension: \"31536001\" is not a whole number of seconds from 0 to 31536000, nor unl"},
    {"HardLimits=account", "HardLimits: \"account\" is not one of partition, qos"},
    {"HardLimits=none,qos", "HardLimits: \"none\" is not one of partition, qos"},
    {"HardLimits=qos,QOS", "HardLimits: \"QOS\" is given twice"},
    {"ClassByPartition=debug", "ClassByPartition: \"debug\" is not PARTITION:short"},
    {"ClassByPartition=:short", "ClassByPartition: \":short\" is not PARTITION:short"},
    {"ClassByPartition=a:short,", "ClassByPartition: \"\" is not PARTITION:short"},
    {"ClassByPartition=a:short, b:long", "ClassByPartition: \" b:long\" is not PARTITION:short"},
    {"ClassByPartition=a:fast", "ClassByPartition: \"fast\" is not a class"},
    {"ClassByPartition=a:short,a:long", "ClassByPartition: partition \"a\" is given twice"},
    {"ShortTimeLimit=soon", "ShortTimeLimit: \"soon\" is not a time"},
    {"ShortTimeLimit=0", "ShortTimeLimit: \"0\" is not a time"},
    {"ScheduleInterval=0", "ScheduleInterval: \"0\" is not a whole number from 1 to 3600"},
    {"ScheduleInterval=99999999999999999999", "ScheduleInterval: \"99999999999999999999\" is not"},
    {"ResizeRetryInterval=3601", "ResizeRetryInterval: \"3601\" is not a whole number from 1"},
    {"AgentPort=0", "AgentPort: \"0\" is not a port"},
    {"AgentPort=65536", "AgentPort: \"65536\" is not a port"},
    {"AgentPort=+", "AgentPort: \"+\" is not a port"},
    {"AgentPort=++1", "AgentPort: \"++1\" is not a port"},
    {"AgentPort=+65536", "AgentPort: \"+65536\" is not a port"},
    {"AgentTimeout=0", "AgentTimeout: \"0\" is not a number of seconds"},
    {"AgentTimeout=.5", "AgentTimeout: \".5\" is not a number of seconds"},
    {"AgentTimeout=1.", "AgentTimeout: \"1.\" is not a number of seconds"},
    {"AgentTimeout=1.2345", "AgentTimeout: \"1.2345\" is not a number of seconds"},
    {"AgentTimeout=1.2.3", "AgentTimeout: \"1.2.3\" is not a number of seconds"},
    {"AgentTimeout=600.001", "AgentTimeout: \"600.001\" is not a number of seconds"},
    {"AgentTimeout=2000ms", "AgentTimeout: \"2000ms\" is not a number of seconds"},
    {"ControlPort=http", "ControlPort: \"http\" is not a whole number from 1 to 65535"},
    {"MetricsAddress=0", "MetricsAddress: \"0\" is not a port from 1 to 65535, or an address"},
    {"MetricsAddress=head:7852", "MetricsAddress: \"head:7852\" is not a port"},
    {"MetricsAddress=127.0.0.1:", "MetricsAddress: \"127.0.0.1:\" is not a port"},
    {"MetricsAddress=::1:7852", "MetricsAddress: \"::1:7852\" is not a port"},
    {"MetricsAddress=[::1", "MetricsAddress: \"[::1\" is not a port"},
    {"MetricsAddress=127.0.0.1:80,81", "MetricsAddress: \"127.0.0.1:80,81\" is not a port"},
    {"RuntimeDir=run", "RuntimeDir: \"run\" is not an absolute path"},
    {"RuntimeDir=/run/%h", "RuntimeDir: \"/run/%h\" is not a path in which % stands only in %n"},
    {"RuntimeDir=/run/%", "RuntimeDir: \"/run/%\" is not a path in which"},
    {"RuntimeDir=/" + too_long, "is not an absolute path of at most"},
    {"VmrtLibrary=libvmrt.so", "VmrtLibrary: \"libvmrt.so\" is not an absolute path"},
    {"VmrtLibrary=/a b.so", "VmrtLibrary: \"/a b.so\" is not a path without spaces and colons"},
    {"VmrtLibrary=/a:/b.so", "VmrtLibrary: \"/a:/b.so\" is not a path without"},
    {"Coscheduling=gang", "Coscheduling: \"gang\" is not one of self, none"},
    {"RankWaiting=block", "\"RankWaiting\": is not there any more; RunQueues is in its place"},
    {"rankspintime=50", "\"rankspintime\": is not there any more; RunQueues is in its place"},
    {"NextRank=lottery", "NextRank: \"lottery\" is not one of round-robin, messages, sender"},
    {"RunQueues=", "RunQueues: has no value"},
    {"RunQueues=both", "RunQueues: \"both\" is not one of local, kernel, detect"},
    {"MungeSocket=@x", "MungeSocket: \"@x\" is not an absolute path of at most 107 characters"},
    {"MungeSocket=/" + std::string(107, 'x'), "is not an absolute path of at most 107"},
    // Lines that are no setting.
    {"MaxMpl", "\"MaxMpl\" is not Key=value"},
    {"MaxMpl=", "MaxMpl: has no value"},
    {"MaxMpl= # 3", "MaxMpl: has no value"},
    {"minresizeinterval=30", "\"minresizeinterval\": is not there any more; MaxResizeLoss is in"},
    {"=3", "\"\": unknown key"},
    {"MaxMpI=3", "\"MaxMpI\": unknown key"},
    {"Max Mpl=3", "\"Max Mpl\": unknown key"},
    {"MaxMpl=1 WindowMpl=2", "MaxMpl: \"1 WindowMpl=2\" is not a whole number"},
    {"MaxMpl=\x1b[31m", "MaxMpl: \"?[31m\" is not"},
    {too_long, "xxx...\" is not Key=value"},
    {too_long + "=1", "xxx...\": unknown key"},
    {std::string("MaxMpl=2\0", 9), "contains a NUL byte"},
    {std::string("# \0", 3), "contains a NUL byte"},
};

START_TEST(refuses) {
    const Bad &row = bad[_i];
    const std::string text = "# first line\r\n\r\n# third line\n" + row.line + "\nMaxMpl=9\n";
    const std::string said = refusal<ConfigError>([&] { parse(text, "/etc/slurm/vmall.conf"); });
    ck_assert_contains(said, "/etc/slurm/vmall.conf:4: ");
    ck_assert_contains(said, row.reason);
    ck_assert_int_lt(static_cast<int>(said.size()), 400);
}
END_TEST

START_TEST(a_running_scheduler_can_be_changed) {
    Config config = parse("MaxMpl=3", "f");
    ck_assert_text(config::change(config, "maxmplPERjob", " 2 "), "MaxMplPerJob");
    ck_assert_int_eq(config.max_mpl_per_job.lowest_for(somebody), 2);
    config::change(config, "MaxMpl", "2");
    ck_assert_int_eq(config.policy.max_mpl, 2);
    ck_assert(config.texts ==
              (std::map<std::string, std::string>{{"MaxMpl", "2"}, {"MaxMplPerJob", "2"}}));
}
END_TEST

struct BadChange {
    const char *key;
    std::string value;
    const char *reason;
};

const std::vector<BadChange> bad_changes = {
    {"MaxMpI", "3", "\"MaxMpI\": unknown key"},
    {"", "3", "\"\": unknown key"},
    {"MaxMpl", "9", "MaxMpl: \"9\" is not a whole number from 1 to 4"},
    {"MaxMpl", " ", "MaxMpl: has no value"},
    {"WindowPolicy", "kill", "WindowPolicy: \"kill\" is for vmsim only"},
    {"ClassByPartition", "a\nb:short", "ClassByPartition: \"a?b:short\" has characters"},
    {"ClassByPartition", std::string("a\0:short", 8), "has characters that cannot be printed"},
    {"MinResizeInterval", "30",
     "\"MinResizeInterval\": is not there any more; MaxResizeLoss is in"},
    {"ControlPort", "7000", "ControlPort: is read only when the daemons start"},
    {"RunQueues", "local", "RunQueues: is read only when the daemons start"},
};

START_TEST(a_change_that_is_refused_changes_nothing) {
    const BadChange &row = bad_changes[_i];
    Config config = parse("MaxMpl=3", "f");
    const auto texts = config.texts;
    ck_assert_contains(refusal<ConfigError>([&] { config::change(config, row.key, row.value); }),
                       row.reason);
    ck_assert(config.texts == texts && config.policy.max_mpl == 3);
    ck_assert(config.policy.window_policy == "shrink");
}
END_TEST

START_TEST(every_key_has_good_and_bad_rows_and_is_refused_twice) {
    const std::string key = config::keys()[_i].name;
    const auto is_for_key = [&key](const std::string &line) {
        return line.compare(0, key.size() + 1, key + "=") == 0;
    };
    std::string line;
    for (const Good &row : good)
        if (is_for_key(row.line))
            line = row.line;
    int refused = 0;
    for (const Bad &row : bad)
        refused += is_for_key(row.line);
    ck_assert_msg(!line.empty() && refused > 0, "%s", key.c_str());

    const std::string said = refusal<ConfigError>([&] { parse(line + "\n\n" + line, "f"); });
    ck_assert_text(said, "f:3: " + key + ": already set in line 1");
}
END_TEST

std::string text_of(const std::vector<config::Named> &named) {
    std::string text;
    for (const config::Named &one : named)
        text += one.key + " " + one.name + "\n";
    return text;
}

START_TEST(partitions_and_unknown_users_are_found_under_their_keys) {
    const Config config =
        parse("MaxFoldsPerJob=3,partition/b:1,class/short:2,qos/low:1\nClassByPartition=c:short\n"
              "TakePart=partition/a:yes,user/nobody.of.that.name:no,user/root:no,account/x:no\n",
              "f");
    ck_assert_text(text_of(config::named_partitions(config)),
                   "TakePart a\nMaxFoldsPerJob b\nClassByPartition c\n");
    ck_assert_text(text_of(config::unknown_users(config)), "TakePart nobody.of.that.name\n");
    ck_assert(config::named_partitions({}).empty() && config::unknown_users({}).empty());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, accepts, 0, static_cast<int>(good.size()));
    tcase_add_test(tests, vmsim_accepts_more);
    tcase_add_loop_test(tests, refuses, 0, static_cast<int>(bad.size()));
    tcase_add_test(tests, a_running_scheduler_can_be_changed);
    tcase_add_test(tests, partitions_and_unknown_users_are_found_under_their_keys);
    tcase_add_loop_test(tests, a_change_that_is_refused_changes_nothing, 0,
                        static_cast<int>(bad_changes.size()));
    tcase_add_loop_test(tests, every_key_has_good_and_bad_rows_and_is_refused_twice, 0,
                        static_cast<int>(config::keys().size()));
    return run("vmall.conf", tests);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The keys of vmall.conf: a row for each, and what the kinds of values accept.
#include "config/keys.hpp"
#include "common/split.hpp"
#include "config/choice.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <climits>
#include <map>
#include <string_view>
#include <sys/un.h>
#include <utility>

namespace vmall::config {

namespace {

template <typename Piece>
void choose(policy::Chosen<Piece> &chosen, const std::string &value) {
    Choices<policy::Chosen<Piece>> choices;
    for (const auto &row : policy::rows<Piece>())
        choices.emplace_back(row.name, row);
    chosen = choice(value, choices);
}

const Choices<policy::BackfillOrder> backfill_orders = {
    {"arrival", policy::BackfillOrder::arrival}, {"shortest", policy::BackfillOrder::shortest}};
const Choices<policy::WindowRule> window_rules = {{"order", policy::WindowRule::order},
                                                  {"clock", policy::WindowRule::clock},
                                                  {"either", policy::WindowRule::either}};

const Choices<LendWholeNodes> lenders = {{"no", LendWholeNodes::no},
                                         {"user", LendWholeNodes::user},
                                         {"account", LendWholeNodes::account},
                                         {"partition", LendWholeNodes::partition},
                                         {"yes", LendWholeNodes::yes}};
const Choices<bool> yes_or_no = {{"no", false}, {"yes", true}};

int number(const std::string &value, int lowest, int highest) {
    if (const auto parsed = whole_number(value, lowest, highest))
        return static_cast<int>(*parsed);
    refuse(value,
           "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
}

constexpr int highest_fold_count = 1000000;

int mpl(const std::string &value) {
    return number(value, 1, policy::highest_mpl);
}

int folds(const std::string &value) {
    if (lower_case(value) == "unlimited")
        return unlimited_folds;
    if (const auto parsed = whole_number(value, 0, highest_fold_count))
        return static_cast<int>(*parsed);
    refuse(value,
           "a whole number from 0 to " + std::to_string(highest_fold_count) + ", nor unlimited");
}

int percent(const std::string &value) {
    return number(value, 0, 100);
}

int extension(const std::string &value) {
    constexpr int a_year = 365 * 24 * 3600;
    if (lower_case(value) == "unlimited")
        return unlimited_extension;
    if (const auto parsed = whole_number(value, 0, a_year))
        return static_cast<int>(*parsed);
    refuse(value,
           "a whole number of seconds from 0 to " + std::to_string(a_year) + ", nor unlimited");
}

const Choices<bool HardLimits::*> site_limits = {{"partition", &HardLimits::partition},
                                                 {"qos", &HardLimits::qos}};

HardLimits hard_limits(const std::string &value) {
    HardLimits hard;
    if (lower_case(value) == "none")
        return hard;
    for (const std::string_view part : common::split(value, ',')) {
        const std::string name(part);
        if (std::exchange(hard.*choice(name, site_limits), true))
            throw std::runtime_error(quoted(name) + " is given twice");
    }
    return hard;
}

constexpr int highest_port = 65535;

AgentPort agent_port(const std::string &value) {
    const bool relative = value[0] == '+';
    const auto port = whole_number(std::string_view(value).substr(relative), 1, highest_port);
    if (!port)
        refuse(value, "a port from 1 to 65535, or +N for slurmd's port plus N");
    return {relative, static_cast<int>(*port)};
}

bool is_address(const std::string &host) {
    in_addr v4;
    in6_addr v6;
    const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    return bracketed ? inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) == 1
                     : inet_pton(AF_INET, host.c_str(), &v4) == 1;
}

std::string listening_address(const std::string &value) {
    const std::size_t colon = value.rfind(':');
    const bool only_port = colon == std::string::npos;
    const std::string host = only_port ? "127.0.0.1" : value.substr(0, colon);
    const std::string port = only_port ? value : value.substr(colon + 1);
    if (!is_address(host) || !whole_number(port, 1, highest_port))
        refuse(value, "a port from 1 to 65535, or an address and a port, such as 10.0.0.1:7852 or "
                      "[::1]:7852");
    return host + ":" + port;
}

// Seconds with up to three decimals, for what is waited for by the millisecond.
int milliseconds(const std::string &value) {
    constexpr int highest_seconds = 600;
    const std::size_t point = std::min(value.find('.'), value.size());
    std::string thousandths = point < value.size() ? value.substr(point + 1) : "0";
    const bool too_fine = thousandths.size() > 3;
    thousandths.resize(3, '0');
    const auto whole = whole_number(std::string_view(value).substr(0, point), 0, highest_seconds);
    const auto fraction = whole_number(thousandths, 0, 999);
    const long long sum = whole && fraction ? *whole * 1000 + *fraction : 0;
    if (too_fine || value.back() == '.' || sum < 1 || sum > highest_seconds * 1000)
        refuse(value, "a number of seconds from 0.001 to " + std::to_string(highest_seconds) +
                          " with at most three decimals");
    return static_cast<int>(sum);
}

std::string absolute_path(const std::string &value, std::size_t longest = PATH_MAX - 1) {
    if (value[0] != '/' || value.size() > longest)
        refuse(value, "an absolute path of at most " + std::to_string(longest) + " characters");
    return value;
}

std::string socket_path(const std::string &value) {
    return absolute_path(value, sizeof(sockaddr_un::sun_path) - 1);
}

std::string runtime_dir(const std::string &value) {
    for (auto at = value.find('%'); at != std::string::npos; at = value.find('%', at + 1))
        if (value.compare(at, 2, "%n") != 0)
            refuse(value, "a path in which % stands only in %n (the node's name)");
    return absolute_path(value);
}

// It goes into LD_PRELOAD, where a space or a colon ends the path.
std::string preloadable(const std::string &value) {
    if (value.find_first_of(" \t:") != std::string::npos)
        refuse(value, "a path without spaces and colons");
    return absolute_path(value);
}

int takes_part(const std::string &value) {
    return choice(value, Choices<int>{{"none", 0}, {"no", 0}, {"yes", 1}});
}

// The class of a job is for those that take part.
void take_part(Limit &limit, const std::string &value) {
    Limit read = limit;
    read.set(value, takes_part);
    if (read.goes_by_class())
        throw std::runtime_error(quoted(value) + " has a class: only partition/NAME, qos/NAME, "
                                                 "account/NAME and user/NAME say who takes part");
    limit = std::move(read);
}

std::map<std::string, policy::JobClass> class_by_partition(const std::string &value) {
    std::map<std::string, policy::JobClass> classes;
    for (const std::string_view part : common::split(value, ',')) {
        const std::string item(part);
        const std::size_t colon = item.find(':');
        if (colon == 0 || colon == std::string::npos ||
            item.find_first_of(" \t") != std::string::npos)
            refuse(item, "PARTITION:short or PARTITION:long");
        if (!classes.emplace(item.substr(0, colon), parse_class(item.substr(colon + 1))).second)
            throw std::runtime_error("partition " + quoted(item.substr(0, colon)) +
                                     " is given twice");
    }
    return classes;
}

using Text = const std::string &;

} // namespace

const std::vector<Key> &keys() {
    static const std::vector<Key> table = {
        {"QueueDiscipline", "least-work",
         [](Config &c, Text v) { choose(c.policy.queue_discipline, v); }, Taken::by_policy},
        {"BackfillOrder", "arrival",
         [](Config &c, Text v) { c.policy.backfill_order = choice(v, backfill_orders); },
         Taken::by_policy},
        {"Sizing", "adaptive", [](Config &c, Text v) { choose(c.policy.sizing, v); },
         Taken::by_policy},
        {"MaxMpl", "4", [](Config &c, Text v) { c.policy.max_mpl = mpl(v); }, Taken::by_policy},
        {"Patience", "10",
         [](Config &c, Text v) { c.policy.patience = number(v, 0, policy::highest_patience); },
         Taken::by_policy},
        {"MaxTimeLost", "100", [](Config &c, Text v) { c.policy.max_time_lost = percent(v); },
         Taken::by_policy},
        {"TargetEfficiency", "70",
         [](Config &c, Text v) { c.policy.sharing.target_efficiency = percent(v) / 100.0; },
         Taken::by_policy},
        {"WindowPolicy", "shrink", [](Config &c, Text v) { choose(c.policy.window_policy, v); },
         Taken::by_policy},
        {"WindowRule", "either",
         [](Config &c, Text v) { c.policy.window_rule = choice(v, window_rules); },
         Taken::by_policy},
        {"WindowMpl", "4", [](Config &c, Text v) { c.policy.window_mpl = mpl(v); },
         Taken::by_policy},
        {"FoldedWeight", "0",
         [](Config &c, Text v) {
             c.policy.folded_weight = number(v, 0, policy::highest_folded_weight);
         },
         Taken::by_scheduler},
        {"MaxMplPerJob", "4", [](Config &c, Text v) { c.max_mpl_per_job.set(v, mpl); },
         Taken::by_scheduler},
        {"MaxFoldsPerJob", "unlimited",
         [](Config &c, Text v) { c.max_folds_per_job.set(v, folds); }, Taken::by_scheduler},
        {"MaxResizeLoss", "5",
         [](Config &c, Text v) {
             c.max_resize_loss.set(v, percent);
             c.policy.max_resize_loss = c.max_resize_loss.general();
         },
         Taken::by_policy},
        {"LimitExtension", "unlimited",
         [](Config &c, Text v) { c.limit_extension.set(v, extension); }, Taken::by_scheduler},
        {"HardLimits", "none", [](Config &c, Text v) { c.hard_limits = hard_limits(v); },
         Taken::by_scheduler},
        {"LendWholeNodes", "no", [](Config &c, Text v) { c.lend_whole_nodes = choice(v, lenders); },
         Taken::by_scheduler},
        {"FoldGres", "no", [](Config &c, Text v) { c.fold_gres = choice(v, yes_or_no); },
         Taken::by_scheduler},
        {"FoldUnserved", "no", [](Config &c, Text v) { c.fold_unserved = choice(v, yes_or_no); }},
        {"TakePart", "none", [](Config &c, Text v) { take_part(c.take_part, v); },
         Taken::by_scheduler},
        {"ClassByPartition", "",
         [](Config &c, Text v) { c.class_by_partition = class_by_partition(v); },
         Taken::by_scheduler},
        {"ShortTimeLimit", "10", [](Config &c, Text v) { c.short_time_limit = parse_time(v); },
         Taken::by_scheduler},
        {"ScheduleInterval", "5",
         [](Config &c, Text v) { c.schedule_interval = number(v, 1, 3600); }, Taken::by_scheduler},
        {"ResizeRetryInterval", "10",
         [](Config &c, Text v) { c.resize_retry_interval = number(v, 1, 3600); },
         Taken::by_scheduler},
        {"SurveyInterval", "60", [](Config &c, Text v) { c.survey_interval = number(v, 0, 3600); },
         Taken::by_scheduler},
        {"JobNote", "yes", [](Config &c, Text v) { c.job_note = choice(v, yes_or_no); },
         Taken::by_scheduler},
        {"HistorySize", "4", [](Config &c, Text v) { c.history_size = number(v, 0, 1024); },
         Taken::by_scheduler},
        {"AgentPort", "7850", [](Config &c, Text v) { c.agent_port = agent_port(v); }},
        {"AgentTimeout", "2", [](Config &c, Text v) { c.agent_timeout_ms = milliseconds(v); },
         Taken::by_scheduler},
        {"ControlPort", "7851",
         [](Config &c, Text v) { c.control_port = number(v, 1, highest_port); }},
        {"MetricsAddress", "", [](Config &c, Text v) { c.metrics_address = listening_address(v); }},
        {"RuntimeDir", "/run/slurm-vmall/%n",
         [](Config &c, Text v) { c.runtime_dir = runtime_dir(v); }},
        {"VmrtLibrary", default_vmrt_library(),
         [](Config &c, Text v) { c.vmrt_library = preloadable(v); }},
        {"Coscheduling", "self",
         [](Config &c, Text v) { c.runtime.coscheduling = parse_coscheduling(v); }},
        {"NextRank", "round-robin",
         [](Config &c, Text v) { c.runtime.next_rank = parse_next_rank(v); }},
        {"RunQueues", "detect",
         [](Config &c, Text v) { c.runtime.run_queues = parse_run_queues(v); }},
        {"MungeSocket", "", [](Config &c, Text v) { c.munge_socket = socket_path(v); }},
    };
    return table;
}

std::vector<Value> values(const Config &config) {
    std::vector<Value> result;
    for (const Key &key : keys()) {
        const auto text = config.texts.find(key.name);
        const bool is_default = text == config.texts.end();
        result.push_back({key, is_default ? key.initial : text->second, is_default});
    }
    return result;
}

const char *instead_of(const std::string &removed) {
    static const std::map<std::string, const char *> successors = {
        {"minresizeinterval", "MaxResizeLoss"},
        {"rankwaiting", "RunQueues"},
        {"rankspintime", "RunQueues"}};
    const auto found = successors.find(lower_case(removed));
    return found == successors.end() ? nullptr : found->second;
}

const char *only_simulated(const policy::Settings &settings) {
    for (const char *why :
         {settings.queue_discipline->only_simulated, settings.sizing->only_simulated,
          settings.window_policy->only_simulated})
        if (why)
            return why;
    return nullptr;
}

} // namespace vmall::config

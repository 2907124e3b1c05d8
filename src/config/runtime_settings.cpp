// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words for how ranks share CPUs, one by one and as the list of --vm-runtime.
#include "config/runtime_settings.hpp"

#include "common/split.hpp"
#include "config/choice.hpp"

#include <csignal>
#include <string_view>
#include <tuple>

namespace vmall::config {

namespace {

constexpr std::size_t longest_list = 256;

const Choices<vmall_coscheduling> coschedulings = {{"self", VMALL_COSCHEDULING_SELF},
                                                   {"none", VMALL_COSCHEDULING_NONE}};
const Choices<vmall_next_rank> next_ranks = {{"round-robin", VMALL_NEXT_ROUND_ROBIN},
                                             {"messages", VMALL_NEXT_MESSAGES},
                                             {"sender", VMALL_NEXT_SENDER}};
const Choices<vmall_run_queues> run_queues = {{"local", VMALL_QUEUES_LOCAL},
                                              {"kernel", VMALL_QUEUES_KERNEL},
                                              {"detect", VMALL_QUEUES_DETECTED}};

// Programs may have uses of their own for others, and could not live with some.
const Choices<int> signals = {{"usr1", SIGUSR1}, {"usr2", SIGUSR2}, {"hup", SIGHUP},
                              {"cont", SIGCONT}, {"urg", SIGURG},   {"winch", SIGWINCH}};

template <typename T>
void set_once(std::optional<T> &field, T value) {
    if (field)
        throw std::runtime_error("is given twice");
    field = value;
}

void read_item(RuntimeRequest &request, const std::string &item) {
    const std::size_t equals = item.find('=');
    const std::string name = lower_case(item.substr(0, equals));
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    const auto is = [&](const char *known) { return equals != std::string::npos && name == known; };
    try {
        if (is("coscheduling"))
            return set_once(request.coscheduling, parse_coscheduling(value));
        if (is("next"))
            return set_once(request.next_rank, parse_next_rank(value));
        if (is("queues"))
            return set_once(request.run_queues, parse_run_queues(value));
        if (is("signal"))
            return set_once(request.signal, parse_signal(value));
    } catch (const std::runtime_error &error) {
        throw std::runtime_error(name + ": " + error.what());
    }
    refuse(item, "one of coscheduling=, next=, queues=, signal= with a value, separated by commas");
}

} // namespace

vmall_coscheduling parse_coscheduling(const std::string &text) {
    return choice(text, coschedulings);
}

vmall_next_rank parse_next_rank(const std::string &text) {
    return choice(text, next_ranks);
}

vmall_run_queues parse_run_queues(const std::string &text) {
    return choice(text, run_queues);
}

int parse_signal(const std::string &text) {
    return choice(text, signals);
}

RuntimeRequest parse_runtime_request(const std::string &text) {
    if (text.size() > longest_list)
        throw std::runtime_error("the list is longer than " + std::to_string(longest_list) +
                                 " characters");
    RuntimeRequest request;
    for (const std::string_view item : common::split(text, ','))
        read_item(request, std::string(item));
    return request;
}

std::string in_words(const RuntimeRequest &request) {
    std::string list;
    const auto add = [&](const char *name, const std::string &value) {
        list += (list.empty() ? "" : ",") + std::string(name) + "=" + value;
    };
    if (request.coscheduling)
        add("coscheduling", word_for(*request.coscheduling, coschedulings));
    if (request.next_rank)
        add("next", word_for(*request.next_rank, next_ranks));
    if (request.run_queues)
        add("queues", word_for(*request.run_queues, run_queues));
    if (request.signal)
        add("signal", word_for(*request.signal, signals));
    return list;
}

bool operator==(const RuntimeRequest &left, const RuntimeRequest &right) {
    const auto fields = [](const RuntimeRequest &request) {
        return std::tie(request.coscheduling, request.next_rank, request.run_queues,
                        request.signal);
    };
    return fields(left) == fields(right);
}

RuntimeSettings merge(RuntimeSettings node, const RuntimeRequest &job) {
    node.coscheduling = job.coscheduling.value_or(node.coscheduling);
    node.next_rank = job.next_rank.value_or(node.next_rank);
    node.run_queues = job.run_queues.value_or(node.run_queues);
    return node;
}

} // namespace vmall::config

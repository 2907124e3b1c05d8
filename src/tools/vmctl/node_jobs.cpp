// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each node tells of its own jobs; what it says is checked, and put together.
#include "tools/vmctl/node_jobs.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace vmall::vmctl {

namespace {

constexpr int most_pages = 16; // of a node: more than 10,000 jobs

struct Question {
    const AskedNode *node;
    wire::Query query;
    int page = 1;
};

void take_jobs(const AskedNode &node, const std::string &answer, NodeJobs &told) {
    std::vector<wire::JobRow> rows = wire::decode_jobs(answer);
    for (const wire::JobRow &row : rows)
        if (row.nodes.size() != 1 || row.nodes.front().node != node.name)
            throw std::runtime_error("it tells of another node");
    std::move(rows.begin(), rows.end(), std::back_inserter(told.jobs));
}

void take_left_out(const std::string &answer, NodeJobs &told) {
    std::vector<wire::LeftOutRow> rows = wire::decode_left_out(answer);
    std::move(rows.begin(), rows.end(), std::back_inserter(told.left_out));
}

// The question for the next page, if there is one.
std::optional<Question> take(const Question &asked, const AgentAnswer &answer, NodeJobs &told) {
    if (!answer.opened)
        throw std::runtime_error(answer.problem);
    const std::string &content = answer.opened->payload;
    if (asked.query.ask == wire::Ask::jobs)
        take_jobs(*asked.node, content, told);
    else
        take_left_out(content, told);
    const auto next = wire::decode_next(content);
    if (!next)
        return std::nullopt;
    if (!(asked.query.from < *next) || asked.page == most_pages)
        throw std::runtime_error("its answer does not come to an end");
    Question again = asked;
    again.query.from = *next;
    ++again.page;
    return again;
}

void complete(NodeJobs &told, const SlurmJobs &slurms) {
    for (wire::JobRow &job : told.jobs)
        if (const auto known = slurms.jobs.find(job.job_id); known != slurms.jobs.end()) {
            job.name = known->second.name;
            if (known->second.processes > 0)
                job.processes = known->second.processes;
            if (known->second.is_suspended)
                told.suspended.insert(job.job_id);
        }
}

bool is_before(const wire::JobRow &one, const wire::JobRow &other) {
    return std::pair(one.job_id, one.user_id) < std::pair(other.job_id, other.user_id);
}

template <typename Number, typename Choose>
void choose(std::optional<Number> &value, const std::optional<Number> &other, Choose choose) {
    if (value && other)
        value = choose(*value, *other);
    else if (other)
        value = other;
}

int lower(int one, int other) {
    return std::min(one, other);
}

void add(wire::JobRow &job, wire::JobRow row) {
    std::move(row.nodes.begin(), row.nodes.end(), std::back_inserter(job.nodes));
    job.processes += row.processes;
    job.full_cores += row.full_cores;
    job.resize_pending = job.resize_pending || job.mpl != row.mpl;
    job.mpl = std::max(job.mpl, row.mpl);
    job.generation_wanted = std::max(job.generation_wanted, row.generation_wanted);
    job.generation_applied = std::max(job.generation_applied, row.generation_applied);
    choose(job.lost_seconds, row.lost_seconds,
           [](std::uint64_t one, std::uint64_t other) { return std::max(one, other); });
    choose(job.useful_percent, row.useful_percent, lower);
    choose(job.useful_last_percent, row.useful_last_percent, lower);
    if (job.ranks && row.ranks)
        *job.ranks += *row.ranks;
    else
        job.ranks.reset();
}

} // namespace

std::vector<wire::JobRow> merged(std::vector<wire::JobRow> rows) {
    std::stable_sort(rows.begin(), rows.end(), is_before);
    std::vector<wire::JobRow> jobs;
    for (wire::JobRow &row : rows)
        if (jobs.empty() || is_before(jobs.back(), row))
            jobs.push_back(std::move(row));
        else
            add(jobs.back(), std::move(row));
    return jobs;
}

NodeJobs ask_for_node_jobs(const std::vector<AskedNode> &nodes, const SlurmJobs &slurms,
                           const std::string &munge_socket, std::chrono::milliseconds patience) {
    NodeJobs told;
    std::vector<Question> questions;
    for (const AskedNode &node : nodes)
        for (const wire::Ask list : {wire::Ask::jobs, wire::Ask::left_out})
            questions.push_back({&node, {list}});
    while (!questions.empty()) {
        std::vector<AgentQuestion> asked;
        for (const Question &question : questions)
            asked.push_back({question.node->agent, question.query});
        const std::vector<AgentAnswer> answers = ask_agents(asked, munge_socket, patience);
        std::vector<Question> more;
        for (std::size_t i = 0; i < answers.size(); ++i)
            try {
                if (const auto next = take(questions[i], answers[i], told))
                    more.push_back(*next);
            } catch (const std::exception &error) {
                const std::string said = questions[i].node->name + ": " + error.what();
                if (told.silent.empty() || told.silent.back() != said)
                    told.silent.push_back(said);
            }
        questions = std::move(more);
    }
    told.jobs = merged(std::move(told.jobs));
    complete(told, slurms);
    return told;
}

} // namespace vmall::vmctl

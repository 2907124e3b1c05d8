// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of jobs to and from JSON, in pages.
#include "wire/job_rows.hpp"

#include "wire/job_rows_json.hpp"
#include "wire/page_text.hpp"
#include "wire/rank_report_json.hpp"
#include "wire/rows_json.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace vmall::wire {

namespace {

using common::JobClass;

constexpr auto highest_count = std::numeric_limits<std::uint32_t>::max();
constexpr auto highest_counter = std::numeric_limits<std::uint64_t>::max();

Json to_json(const NodeCores &node) {
    Json json = {{"node", node.node}, {"cores", node.cores}};
    if (const auto &deal = node.deal) {
        json["deal"] = {{"with", deal->with}, {"mpl", deal->mpl}, {"fixed", deal->fixed}};
        if (deal->useful_percent)
            json["deal"]["useful_percent"] = *deal->useful_percent;
    }
    return json;
}

template <typename Value>
void add(Json &row, const char *name, const std::optional<Value> &value) {
    if (value)
        row[name] = *value;
}

// With the nodes from the one up to the other.
Json to_json(const JobRow &job, std::size_t first, std::size_t last) {
    Json nodes = Json::array();
    for (; first < last; ++first)
        nodes.push_back(to_json(job.nodes[first]));
    Json row = {{"job_id", job.job_id},
                {"user_id", job.user_id},
                {"name", job.name},
                {"processes", job.processes},
                {"nodes", std::move(nodes)},
                {"full_cores", job.full_cores},
                {"mpl", job.mpl},
                {"backfilled", job.backfilled},
                {"generation_wanted", job.generation_wanted},
                {"generation_applied", job.generation_applied},
                {"resize_pending", job.resize_pending}};
    if (job.job_class)
        row["class"] = name_of(*job.job_class);
    if (job.ranks)
        row["ranks"] = to_json(*job.ranks);
    add(row, "core_seconds", job.core_seconds);
    add(row, "lost_seconds", job.lost_seconds);
    add(row, "folds", job.folds);
    add(row, "unfolds", job.unfolds);
    add(row, "window_end", job.window_end);
    add(row, "useful_percent", job.useful_percent);
    add(row, "useful_last_percent", job.useful_last_percent);
    add(row, "folds_again_at", job.folds_again_at);
    if (job.restraint)
        row["restraint"] = name_of(*job.restraint);
    return row;
}

Json to_json(const WaitingRow &job) {
    Json sizes = Json::array();
    for (const auto &[first, last] : job.sizes.ranges())
        sizes.push_back({first, last});
    Json row = {{"job_id", job.job_id},       {"user_id", job.user_id},
                {"name", job.name},           {"class", name_of(job.job_class)},
                {"partition", job.partition}, {"sizes", std::move(sizes)},
                {"reason", job.reason},       {"position", job.position}};
    if (job.expected_start)
        row["expected_start"] = *job.expected_start;
    return row;
}

Json to_json(const LeftOutRow &job) {
    return {{"job_id", job.job_id}, {"user_id", job.user_id}, {"reason", job.reason}};
}

template <typename Row>
auto first_of_page(const std::vector<Row> &rows, const PageStart &from) {
    return std::lower_bound(
        rows.begin(), rows.end(), from.job_id,
        [](const Row &row, std::uint32_t id) { return row.job_id < id; });
}

// The node after the last one that there is room for.
std::size_t last_node(const JobRow &job, std::size_t first, std::size_t room) {
    std::size_t used = text_of(to_json(job, first, first)).size();
    while (first < job.nodes.size() &&
           (used += text_of(to_json(job.nodes[first])).size() + 1) <= room)
        ++first;
    return first;
}

template <typename Row>
std::string page_of_whole_rows(const char *name, const std::vector<Row> &rows,
                               const PageStart &from, std::size_t highest_bytes) {
    PageText page(name, highest_bytes);
    for (auto job = first_of_page(rows, from); job != rows.end(); ++job) {
        const std::string row = text_of(to_json(*job));
        if (row.size() > page.room())
            return page.end_before(vmall::wire::to_json(PageStart{job->job_id}));
        page.add(row);
    }
    return page.end();
}

bool is_size(const Json &json) {
    return json.is_number_unsigned() && json > 0 && json <= std::numeric_limits<int>::max();
}

std::optional<int> read_percent(const Fields &row, const char *name) {
    if (!row.has(name))
        return std::nullopt;
    return static_cast<int>(row.number32(name, 1, 100));
}

std::optional<std::uint64_t> read_counter(const Fields &row, const char *name) {
    if (!row.has(name))
        return std::nullopt;
    return row.number(name, 0, highest_counter);
}

Deal read_deal(const Json &entry) {
    const Fields fields(entry, "deal of a node");
    Deal deal;
    for (const Json &job : fields.list("with")) {
        if (!job.is_number_unsigned() || job < 1 || job > highest_id ||
            (!deal.with.empty() && job <= deal.with.back()))
            fields.fail("with", "is no ascending list of jobs");
        if (deal.with.size() == highest_company)
            fields.fail("with", "has too many");
        deal.with.push_back(job.get<std::uint32_t>());
    }
    deal.mpl = fields.number32("mpl", 1, highest_target_mpl);
    deal.useful_percent = read_percent(fields, "useful_percent");
    deal.fixed = fields.text("fixed");
    return deal;
}

std::vector<NodeCores> read_nodes(const Fields &row) {
    std::vector<NodeCores> nodes;
    for (const Json &entry : row.list("nodes")) {
        const Fields node(entry, "node of a job");
        nodes.push_back({node.node_name("node"), node.number32("cores", 1, highest_count)});
        if (node.has("deal"))
            nodes.back().deal = read_deal(entry["deal"]);
    }
    if (nodes.empty())
        row.fail("nodes", "is empty");
    return nodes;
}

// One that a later release knows is none to this one.
std::optional<common::Restraint> read_restraint(const Fields &row) {
    const std::string name = row.text("restraint");
    for (const common::Restraint restraint : common::restraints)
        if (name == name_of(restraint))
            return restraint;
    return std::nullopt;
}

JobRow read_job(const Json &entry) {
    const Fields row(entry, "job");
    JobRow job;
    job.job_id = row.number32("job_id", 1, highest_id);
    job.user_id = row.number32("user_id", 0, highest_id);
    job.name = row.text("name");
    if (row.has("class"))
        job.job_class =
            choose(row, "class", {JobClass::short_job, JobClass::long_job}, common::name_of);
    job.processes = row.number32("processes", 1, highest_count);
    job.nodes = read_nodes(row);
    job.full_cores = row.number32("full_cores", 1, highest_count);
    job.mpl = row.number32("mpl", 1, highest_target_mpl);
    job.backfilled = row.flag("backfilled");
    if (row.has("window_end"))
        job.window_end = row.time("window_end");
    if (row.has("folds_again_at"))
        job.folds_again_at = row.time("folds_again_at");
    if (row.has("restraint"))
        job.restraint = read_restraint(row);
    job.generation_wanted = row.number("generation_wanted", 0, highest_counter);
    job.generation_applied = row.number("generation_applied", 0, highest_counter);
    job.resize_pending = row.flag("resize_pending");
    job.core_seconds = read_counter(row, "core_seconds");
    job.lost_seconds = read_counter(row, "lost_seconds");
    job.folds = read_counter(row, "folds");
    job.unfolds = read_counter(row, "unfolds");
    if (row.has("ranks"))
        job.ranks = read_rank_report(entry["ranks"]);
    job.useful_percent = read_percent(row, "useful_percent");
    job.useful_last_percent = read_percent(row, "useful_last_percent");
    return job;
}

common::Sizes read_sizes(const Fields &row) {
    std::vector<common::Sizes::Range> ranges;
    for (const Json &range : row.list("sizes")) {
        if (!range.is_array() || range.size() != 2 || !is_size(range[0]) || !is_size(range[1]) ||
            range[0] > range[1])
            row.fail("sizes", "has something that is not a range");
        ranges.push_back({range[0].get<int>(), range[1].get<int>()});
    }
    if (ranges.empty())
        row.fail("sizes", "is empty");
    return common::Sizes(std::move(ranges));
}

WaitingRow read_waiting(const Json &entry) {
    const Fields row(entry, "waiting job");
    WaitingRow job;
    job.job_id = row.number32("job_id", 1, highest_id);
    job.user_id = row.number32("user_id", 0, highest_id);
    job.name = row.text("name");
    job.job_class =
        choose(row, "class", {JobClass::short_job, JobClass::long_job}, common::name_of);
    job.partition = row.text("partition");
    job.sizes = read_sizes(row);
    job.reason = row.text("reason");
    job.position = row.number32("position", 0, highest_count);
    if (row.has("expected_start"))
        job.expected_start = row.time("expected_start");
    return job;
}

LeftOutRow read_left_out(const Json &entry) {
    const Fields row(entry, "job that is left out");
    return {row.number32("job_id", 1, highest_id), row.number32("user_id", 0, highest_id),
            row.text("reason")};
}

} // namespace

bool operator<(const PageStart &one, const PageStart &other) {
    return std::tie(one.job_id, one.node) < std::tie(other.job_id, other.node);
}

std::string encode_page(const std::vector<JobRow> &jobs, const PageStart &from,
                        std::size_t highest_bytes) {
    PageText page("jobs", highest_bytes);
    for (auto job = first_of_page(jobs, from); job != jobs.end(); ++job) {
        const std::size_t first = job->job_id == from.job_id ? from.node : 0;
        if (first >= job->nodes.size())
            continue;
        const std::size_t last = last_node(*job, first, page.room());
        if (last > first)
            page.add(text_of(to_json(*job, first, last)));
        if (last < job->nodes.size())
            return page.end_before(
                vmall::wire::to_json(PageStart{job->job_id, static_cast<std::uint32_t>(last)}));
    }
    return page.end();
}

std::string encode_page(const std::vector<WaitingRow> &queue, const PageStart &from,
                        std::size_t highest_bytes) {
    return page_of_whole_rows("queue", queue, from, highest_bytes);
}

std::string encode_page(const std::vector<LeftOutRow> &left_out, const PageStart &from,
                        std::size_t highest_bytes) {
    return page_of_whole_rows("left_out", left_out, from, highest_bytes);
}

std::string encode(const std::vector<JobRow> &jobs) {
    return encode_page(jobs, {}, std::numeric_limits<std::size_t>::max());
}

std::string encode(const std::vector<WaitingRow> &queue) {
    return encode_page(queue, {}, std::numeric_limits<std::size_t>::max());
}

std::string encode(const std::vector<LeftOutRow> &left_out) {
    return encode_page(left_out, {}, std::numeric_limits<std::size_t>::max());
}

std::vector<JobRow> decode_jobs(const std::string &json) {
    return read_list(json, "jobs", read_job);
}

std::vector<WaitingRow> decode_queue(const std::string &json) {
    return read_list(json, "queue", read_waiting);
}

std::vector<LeftOutRow> decode_left_out(const std::string &json) {
    return read_list(json, "left_out", read_left_out);
}

std::optional<PageStart> decode_next(const std::string &json) {
    const Json message = parse_message(json);
    const auto next = message.find("next");
    if (next == message.end())
        return std::nullopt;
    return read_page_start(*next);
}

void append(std::vector<JobRow> &jobs, std::vector<JobRow> page) {
    auto rest = page.begin();
    if (!jobs.empty() && rest != page.end() && jobs.back().job_id == rest->job_id) {
        std::move(rest->nodes.begin(), rest->nodes.end(), std::back_inserter(jobs.back().nodes));
        ++rest;
    }
    std::move(rest, page.end(), std::back_inserter(jobs));
}

void append(std::vector<WaitingRow> &queue, std::vector<WaitingRow> page) {
    std::move(page.begin(), page.end(), std::back_inserter(queue));
    std::stable_sort(queue.begin(), queue.end(),
                     [](const WaitingRow &one, const WaitingRow &other) {
                         return one.position < other.position;
                     });
}

void append(std::vector<LeftOutRow> &left_out, std::vector<LeftOutRow> page) {
    std::move(page.begin(), page.end(), std::back_inserter(left_out));
}

Json to_json(const PageStart &start) {
    return {{"job_id", start.job_id}, {"node", start.node}};
}

PageStart read_page_start(const Json &json) {
    const Fields fields(json, "from");
    return {fields.number32("job_id", 1, highest_id), fields.number32("node", 0, highest_count)};
}

} // namespace vmall::wire

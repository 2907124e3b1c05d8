// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding could have filled.
#include "sim/report/advice.hpp"

#include "sim/report/csv.hpp"
#include "sim/report/text_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace vmall::sim {

namespace {

using Group = std::vector<std::string>;
using Line = std::vector<std::string>;

Group group_of(const Job &job, const std::vector<AdviceBy> &by) {
    Group group;
    for (const AdviceBy one : by)
        group.push_back(one == AdviceBy::partition ? job.partition
                        : one == AdviceBy::account ? job.account
                                                   : job.user);
    return group;
}

constexpr double seconds_in_an_hour = 3600;

double core_hours_of(const Job &job) {
    constexpr double milliseconds = 1000 * seconds_in_an_hour;
    return static_cast<double>(job.runtime) / milliseconds * job.runtime_processes *
           job.cores_per_process;
}

double held_core_hours_of(const Job &job) {
    return job.recorded_core_seconds ? *job.recorded_core_seconds / seconds_in_an_hour
                                     : core_hours_of(job);
}

void add(Advice &advice, const Job &job) {
    const double hours = core_hours_of(job);
    ++advice.jobs;
    advice.core_hours += hours;
    if (!job.useful_percent)
        return;
    ++advice.known_jobs;
    advice.known_core_hours += hours;
    advice.useful_core_hours += hours * *job.useful_percent / 100;
    advice.filled_core_hours += std::max(hours - held_core_hours_of(job), 0.0);
}

Advice sum_of(const std::vector<Advice> &advice, const std::vector<AdviceBy> &by) {
    Advice sum;
    sum.group.resize(by.size());
    if (!by.empty())
        sum.group.front() = "all";
    for (const Advice &one : advice) {
        sum.jobs += one.jobs;
        sum.core_hours += one.core_hours;
        sum.known_jobs += one.known_jobs;
        sum.known_core_hours += one.known_core_hours;
        sum.useful_core_hours += one.useful_core_hours;
        sum.filled_core_hours += one.filled_core_hours;
    }
    return sum;
}

// Names are users' and sites': nothing of them shall move the cursor.
std::string printable(std::string text) {
    for (char &letter : text)
        if (!std::isprint(static_cast<unsigned char>(letter)))
            letter = '?';
    return text.empty() ? "-" : text;
}

Line line_of(const Advice &advice) {
    Line line;
    for (const std::string &name : advice.group)
        line.push_back(printable(name));
    line.push_back(std::to_string(advice.jobs));
    line.push_back(fixed(advice.core_hours, 1));
    line.push_back(fixed(advice.known_core_hours, 1));
    line.push_back(advice.known_jobs > 0 ? fixed(advice.useful_percent(), 0) + "%" : "N/A");
    line.push_back(fixed(advice.idle_core_hours(), 1));
    line.push_back(fixed(advice.filled_core_hours, 1));
    return line;
}

double rounded(double value) {
    return std::round(value * 1e6) / 1e6;
}

} // namespace

double Advice::useful_percent() const {
    return known_core_hours > 0 ? 100 * useful_core_hours / known_core_hours : 0;
}

const char *name_of(AdviceBy by) {
    return by == AdviceBy::partition ? "partition" : by == AdviceBy::account ? "account" : "user";
}

std::vector<Advice> advise(const Workload &workload, const std::vector<AdviceBy> &by) {
    std::map<Group, Advice> groups;
    for (const Job &job : workload.jobs)
        add(groups[group_of(job, by)], job);
    std::vector<Advice> advice;
    for (auto &[group, one] : groups) {
        one.group = group;
        advice.push_back(std::move(one));
    }
    std::stable_sort(advice.begin(), advice.end(), [](const Advice &one, const Advice &other) {
        return one.idle_core_hours() > other.idle_core_hours();
    });
    return advice;
}

std::string advice_table(const std::vector<Advice> &advice, const std::vector<AdviceBy> &by) {
    Line titles;
    for (const AdviceBy one : by) {
        std::string title = name_of(one);
        for (char &letter : title)
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        titles.push_back(title);
    }
    for (const char *title : {"JOBS", "CORE_HOURS", "KNOWN", "USEFUL", "IDLE", "FILLED"})
        titles.emplace_back(title);
    std::vector<Line> lines{std::move(titles)};
    for (const Advice &one : advice)
        lines.push_back(line_of(one));
    lines.push_back(line_of(sum_of(advice, by)));
    return text_table(lines);
}

nlohmann::ordered_json advice_json(const std::vector<Advice> &advice,
                                   const std::vector<AdviceBy> &by) {
    using Json = nlohmann::ordered_json;
    Json rows = Json::array();
    for (const Advice &one : advice) {
        Json group = Json::object();
        for (std::size_t i = 0; i < by.size(); i++)
            group[name_of(by[i])] = one.group[i];
        rows.push_back(
            {{"group", std::move(group)},
             {"jobs", one.jobs},
             {"core_hours", rounded(one.core_hours)},
             {"known_jobs", one.known_jobs},
             {"known_core_hours", rounded(one.known_core_hours)},
             {"useful_percent", one.known_jobs > 0 ? Json(rounded(one.useful_percent())) : Json()},
             {"idle_core_hours", rounded(one.idle_core_hours())},
             {"filled_core_hours", rounded(one.filled_core_hours)}});
    }
    return {{"advice", std::move(rows)}};
}

void write_advice(std::ostream &out, const std::vector<Advice> &advice,
                  const std::vector<AdviceBy> &by) {
    for (const AdviceBy one : by)
        out << name_of(one) << ',';
    out << "jobs,core_hours,known_jobs,known_core_hours,useful_percent,idle_core_hours,"
           "filled_core_hours\n";
    for (const Advice &one : advice) {
        for (const std::string &name : one.group)
            out << csv_field(name) << ',';
        out << one.jobs << ',' << csv_number(one.core_hours) << ',' << one.known_jobs << ','
            << csv_number(one.known_core_hours) << ','
            << (one.known_jobs > 0 ? csv_number(one.useful_percent()) : "") << ','
            << csv_number(one.idle_core_hours()) << ',' << csv_number(one.filled_core_hours)
            << '\n';
    }
}

} // namespace vmall::sim

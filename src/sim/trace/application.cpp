// SPDX-License-Identifier: GPL-2.0-or-later
//
// Applications whose execution times were measured, and the tables they stand in.
#include "sim/trace/application.hpp"

#include "common/split.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"
#include "sim/trace/text.hpp"
#include "sim/trace/trace_error.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace vmall::sim {

namespace {

constexpr std::size_t named_columns = 3; // app, class, sizes

std::vector<int> read_header(const std::vector<std::string_view> &fields) {
    if (fields.size() <= named_columns || fields[0] != "app" || fields[1] != "class" ||
        fields[2] != "sizes")
        throw BadLine{"the first line must name the columns: app,class,sizes and then numbers of "
                      "processes"};
    std::vector<int> processes;
    for (std::size_t i = named_columns; i < fields.size(); ++i) {
        const int lowest = processes.empty() ? 1 : processes.back() + 1;
        const auto number = config::whole_number(fields[i], lowest, config::highest_process_count);
        if (!number)
            throw BadLine{"column " + std::to_string(i + 1) + " is " + config::quoted(fields[i]) +
                          " instead of a number of processes, ascending, from " +
                          std::to_string(lowest) + " to " +
                          std::to_string(config::highest_process_count)};
        processes.push_back(static_cast<int>(*number));
    }
    return processes;
}

SizeRule sizes_of(std::string_view text) {
    std::string rule(text);
    std::replace(rule.begin(), rule.end(), ' ', ',');
    try {
        return SizeRule(rule);
    } catch (const std::invalid_argument &error) {
        throw BadLine{std::string("sizes: ") + error.what()};
    }
}

policy::JobClass class_of(std::string_view text) {
    try {
        return config::parse_class(std::string(text));
    } catch (const config::RequestError &error) {
        throw BadLine{std::string("class: ") + error.what()};
    }
}

Application read_row(const std::vector<std::string_view> &fields,
                     const std::vector<int> &processes) {
    if (fields.size() != named_columns + processes.size())
        throw BadLine{std::to_string(fields.size()) + " fields instead of the " +
                      std::to_string(named_columns + processes.size()) + " of the first line"};
    Application application;
    application.name = fields[0];
    if (application.name.empty())
        throw BadLine{"app: there is no name"};
    application.job_class = class_of(fields[1]);
    application.sizes = sizes_of(fields[2]);
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const std::string_view text = fields[named_columns + i];
        if (text.empty())
            continue;
        const auto seconds = decimal_number(text);
        if (!seconds || *seconds <= 0)
            throw BadLine{"time with " + std::to_string(processes[i]) + " processes: " +
                          config::quoted(text) + " is not a number of seconds above 0"};
        application.times.emplace_back(processes[i], *seconds);
    }
    if (application.times.empty())
        throw BadLine{application.name + ": no time was measured"};
    application.speedup = table_speedup(application.times);
    return application;
}

} // namespace

double Application::seconds(int processes) const {
    const auto &[measured_with, measured] = times.front();
    return measured * speedup->at(measured_with) / speedup->at(processes);
}

double Application::efficiency(int processes) const {
    return seconds(1) / (processes * seconds(processes));
}

Application with_smallest_size(Application application, int smallest) {
    const policy::Sizes sizes = application.sizes.up_to(application.times.back().first);
    std::string list;
    for (const int size : sizes.one_by_one())
        if (size >= smallest || size == sizes.largest())
            list += (list.empty() ? "" : ",") + std::to_string(size);
    application.sizes = SizeRule(list);
    return application;
}

std::vector<Application> read_applications(std::istream &in, const std::string &source) {
    std::vector<Application> applications;
    std::vector<int> processes;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        const std::string_view text = trimmed(std::string_view(line).substr(0, line.find('#')));
        if (text.empty())
            continue;
        std::vector<std::string_view> fields = common::split(text, ',');
        std::transform(fields.begin(), fields.end(), fields.begin(), trimmed);
        try {
            if (processes.empty())
                processes = read_header(fields);
            else
                applications.push_back(read_row(fields, processes));
        } catch (const BadLine &bad) {
            throw TraceError(at_line(source, number, bad.reason));
        }
    }
    if (in.bad())
        throw TraceError(source + ": cannot be read");
    if (applications.empty())
        throw TraceError(source + ": there is no application in it");
    return applications;
}

std::vector<Application> read_applications(const std::string &path) {
    std::ifstream in(path);
    if (!in)
        throw TraceError(path + ": cannot be opened");
    return read_applications(in, path);
}

const Application &find_application(const std::vector<Application> &applications,
                                    std::string_view name) {
    std::string names;
    for (const Application &application : applications) {
        if (config::lower_case(application.name) == config::lower_case(name))
            return application;
        names += (names.empty() ? "" : ", ") + application.name;
    }
    throw std::invalid_argument("there is no application " + config::quoted(name) + "; there are " +
                                names);
}

} // namespace vmall::sim

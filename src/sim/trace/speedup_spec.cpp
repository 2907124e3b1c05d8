// SPDX-License-Identifier: GPL-2.0-or-later
//
// Speed-up curves as people write them.
#include "sim/trace/speedup_spec.hpp"

#include "common/split.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"
#include "sim/trace/application.hpp"
#include "sim/trace/text.hpp"

#include <stdexcept>

namespace vmall::sim {

namespace {

[[noreturn]] void refuse(const std::string &text, const std::string &reason) {
    throw std::invalid_argument("speed-up " + config::quoted(text) + ": " + reason);
}

std::vector<double> numbers(const std::string &text, std::string_view list, std::size_t count) {
    std::vector<double> result;
    for (const std::string_view item : common::split(list, ',')) {
        const auto number = decimal_number(item);
        if (!number)
            refuse(text, config::quoted(item) + " is not a number of 0 or more");
        result.push_back(*number);
    }
    if (result.size() != count)
        refuse(text,
               std::to_string(result.size()) + " numbers instead of " + std::to_string(count));
    return result;
}

std::vector<std::pair<int, double>> times(const std::string &text, std::string_view list) {
    std::vector<std::pair<int, double>> result;
    for (const std::string_view item : common::split(list, ',')) {
        const std::size_t equals = std::min(item.find('='), item.size());
        const auto processes = config::whole_number(item.substr(0, equals),
                                                    result.empty() ? 1 : result.back().first + 1,
                                                    config::highest_process_count);
        const auto seconds = decimal_number(item.substr(std::min(equals + 1, item.size())));
        if (!processes || !seconds || *seconds <= 0)
            refuse(text, config::quoted(item) +
                             " is not PROCESSES=SECONDS (processes ascending, seconds above 0)");
        result.emplace_back(static_cast<int>(*processes), *seconds);
    }
    return result;
}

Application from_table(const std::string &text, const std::string &where) {
    const std::size_t colon = where.rfind(':');
    const auto applications = read_applications(where.substr(0, colon));
    if (colon != std::string::npos)
        return find_application(applications, where.substr(colon + 1));
    if (applications.size() > 1)
        refuse(text, "the table has " + std::to_string(applications.size()) +
                         " applications: say which with table:FILE:APP");
    return applications.front();
}

} // namespace

SpeedupSpec parse_speedup(const std::string &text) {
    if (text == "linear")
        return {};
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string model = text.substr(0, colon);
    const std::string rest = text.substr(std::min(colon + 1, text.size()));
    try {
        if (model == "amdahl")
            return {text, amdahl_speedup(numbers(text, rest, 1)[0])};
        if (model == "downey") {
            const auto n = numbers(text, rest, 2);
            return {text, downey_speedup(n[0], n[1])};
        }
        if (model == "dowdy") {
            const auto n = numbers(text, rest, 2);
            return {text, dowdy_speedup(n[0], n[1])};
        }
        if (model == "times")
            return {text, table_speedup(times(text, rest))};
    } catch (const std::invalid_argument &error) {
        const std::string reason = error.what();
        if (reason.rfind("speed-up ", 0) == 0)
            throw;
        refuse(text, reason);
    }
    if (model == "table") {
        const Application application = from_table(text, rest);
        return {times_text(application.times), application.speedup};
    }
    refuse(text, "linear, amdahl:SERIAL, downey:A,SIGMA, dowdy:C1,C2, times:N=SECONDS,… and "
                 "table:FILE[:APP] are accepted");
}

std::string times_text(const std::vector<std::pair<int, double>> &times) {
    std::string text;
    for (const auto &[processes, seconds] : times)
        text += (text.empty() ? "times:" : ",") + std::to_string(processes) + "=" +
                shortest_text(seconds);
    return text;
}

} // namespace vmall::sim

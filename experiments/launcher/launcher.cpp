// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parameter files of the queueing system of Utrera's thesis.
#include "experiments/launcher/launcher.hpp"

#include "common/split.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"
#include "sim/trace/lines.hpp"
#include "sim/trace/swf_record.hpp"
#include "sim/trace/text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>

namespace vmall::sim {

namespace {

constexpr std::size_t most_sizes = 7;

// Calls take(line) for each line that is not empty.
void each_line(const std::string &path, const std::function<void(std::string_view)> &take) {
    Lines lines(path);
    std::string_view line;
    while (lines.next(line))
        try {
            if (!trimmed(line).empty())
                take(trimmed(line));
        } catch (const BadLine &bad) {
            throw TraceError(at_line(path, lines.number(), bad.reason));
        }
}

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> result;
    for (const std::string_view word : common::split(line, ' '))
        if (!trimmed(word).empty())
            result.push_back(trimmed(word));
    return result;
}

// "mpirun -np N $HOME/bin/cg.B.N > out" is cg.B.
std::string program(std::string_view command) {
    std::string_view last;
    for (const std::string_view word : words(command)) {
        if (word.find_first_of("<>|&;") != std::string_view::npos)
            break;
        if (word.front() != '-')
            last = word;
    }
    const std::size_t slash = last.rfind('/');
    std::string name(slash == std::string_view::npos ? last : last.substr(slash + 1));
    if (name.size() > 2 && name.compare(name.size() - 2, 2, ".N") == 0)
        name.resize(name.size() - 2);
    return name;
}

policy::Sizes sizes(std::string_view line) {
    const std::vector<std::string_view> numbers = words(line);
    if (numbers.size() > most_sizes)
        throw BadLine{std::to_string(numbers.size()) + " numbers of processes instead of at most " +
                      std::to_string(most_sizes)};
    policy::Sizes accepted;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto number = config::whole_number(numbers[i], 1, config::highest_process_count);
        if (!number && (i == 0 || numbers[i] != "-1"))
            throw BadLine{"number " + std::to_string(i + 1) + " is " + config::quoted(numbers[i]) +
                          " instead of a number of processes" + (i == 0 ? "" : ", or -1")};
        if (number)
            accepted.add(static_cast<int>(*number));
    }
    const bool any = numbers.size() > 1 && numbers[1] == "-1";
    if (any && accepted.count() > 1)
        throw BadLine{"numbers of processes after a -1"};
    if (any)
        return SizeRule("any").up_to(accepted.smallest());
    if (std::find(numbers.begin(), numbers.end(), "-1") != numbers.end())
        throw BadLine{"-1 stands in all places but the first, or in none"};
    return accepted;
}

policy::JobClass type(std::string_view line) {
    if (line != "1" && line != "2")
        throw BadLine{"the type is " + config::quoted(line) + " instead of 1 (long) or 2 (short)"};
    return line == "1" ? policy::JobClass::long_job : policy::JobClass::short_job;
}

// What the jobs of each application have in common, by its place in the files.
std::vector<Job> read_kinds(const std::string &folder,
                            const std::vector<Application> &applications) {
    std::vector<Job> kinds;
    std::vector<const Application *> found;
    each_line(folder + "/applications", [&](std::string_view line) {
        try {
            found.push_back(&find_application(applications, program(line)));
        } catch (const std::invalid_argument &error) {
            throw BadLine{error.what()};
        }
        Job job;
        job.virtually_malleable = true;
        job.application = found.back()->name;
        job.speedup = found.back()->speedup;
        kinds.push_back(std::move(job));
    });
    const auto each_kind = [&](const char *name, const auto &set) {
        std::size_t place = 0;
        const std::string path = folder + "/" + name;
        const std::string lines = std::to_string(kinds.size()) + " lines, one for each application";
        each_line(path, [&](std::string_view line) {
            if (place == kinds.size())
                throw BadLine{"there are more than " + lines};
            set(place++, line);
        });
        if (place != kinds.size())
            throw TraceError(path + ": has " + std::to_string(place) + " of " + lines);
    };
    each_kind(
        "processes",
        [&](std::size_t place, std::string_view line) {
            Job &job = kinds[place];
            job.sizes = sizes(line);
            job.runtime_processes = job.sizes.largest();
            job.runtime = std::llround(found[place]->seconds(job.runtime_processes) * 1000);
        });
    each_kind("types", [&](std::size_t place, std::string_view line) {
        kinds[place].job_class = type(line);
    });
    return kinds;
}

Job read_job(std::string_view line, const std::vector<Job> &kinds) {
    const SwfRecord record = parse_swf_line(line);
    const std::int64_t place = record[SwfField::executable];
    if (place < 0 || place >= static_cast<std::int64_t>(kinds.size()))
        throw BadLine{"field 14 (application) is " + std::to_string(place) +
                      " instead of a number from 0 to " + std::to_string(kinds.size() - 1)};
    Job job = kinds[static_cast<std::size_t>(place)];
    job.id = static_cast<std::uint32_t>(record[SwfField::job_number] + 1);
    if (job.id == 0)
        throw BadLine{"field 1 (job number) is too high"};
    job.submit = record[SwfField::submit_time];
    job.estimate = std::max<std::int64_t>(0, (record[SwfField::requested_time] + 999) / 1000);
    return job;
}

} // namespace

Workload read_launcher(const std::string &folder, const std::vector<Application> &applications,
                       ReadLog &log) {
    const std::vector<Job> kinds = read_kinds(folder, applications);
    Workload workload;
    workload.source = folder;
    std::set<std::uint32_t> ids;
    Lines lines(folder + "/trace");
    std::string_view line;
    while (lines.next(line)) {
        if (trimmed(line).empty() || trimmed(line).front() == ';')
            continue;
        try {
            Job job = read_job(line, kinds);
            if (!ids.insert(job.id).second)
                throw BadLine{"there is another job " + std::to_string(job.id - 1)};
            workload.jobs.push_back(std::move(job));
        } catch (const BadLine &bad) {
            log.bad_line(at_line(lines.path(), lines.number(), bad.reason));
        }
    }
    if (workload.jobs.empty())
        throw TraceError(lines.path() + ": there is no job in it");
    std::stable_sort(workload.jobs.begin(), workload.jobs.end(), [](const Job &a, const Job &b) {
        return std::pair(a.submit, a.id) < std::pair(b.submit, b.id);
    });
    return workload;
}

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Header comments of the Standard Workload Format.
#include "sim/trace/swf.hpp"

#include "config/job_request.hpp"
#include "config/number.hpp"
#include "sim/trace/text.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace vmall::sim {

namespace {

constexpr std::string_view executable_label = "vmsim executable ";

// The text up to the first space, which is taken off the text together with it.
std::string_view take_word(std::string_view &text) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

// Further words may follow: "2048 (16 x 128)".
long long leading_number(const std::string &label, std::string_view text, long long highest) {
    const std::string_view word = take_word(text);
    const auto number = config::whole_number(word, 1, highest);
    if (!number)
        throw BadLine{label + " is " + config::quoted(word) +
                      " instead of a whole number from 1 to " + std::to_string(highest)};
    return *number;
}

// "2 batch"; queues of some logs are described in prose, which is passed over.
void name_number(std::string_view text, std::map<int, std::string> &names) {
    const auto number = config::whole_number(take_word(text), 0, std::numeric_limits<int>::max());
    if (number && !text.empty())
        names[static_cast<int>(*number)] = take_word(text);
}

void set_kind(std::string_view word, Executable &executable) {
    executable.malleable = word == "malleable";
    executable.virtually_malleable = executable.malleable || word == "virtually-malleable";
    if (!executable.virtually_malleable && word != "rigid")
        throw BadLine{"vmsim executable: " + config::quoted(word) +
                      " instead of rigid, virtually-malleable or malleable"};
}

void set_attribute(std::string_view key, const std::string &value, Executable &executable) {
    if (key == "sizes") {
        executable.sizes = SizeRule(value);
    } else if (key == "speedup") {
        executable.speedup = parse_speedup(value);
    } else if (key == "cores-per-process") {
        const auto cores = config::whole_number(value, 1, config::highest_process_count);
        if (!cores)
            throw std::invalid_argument("cores-per-process is " + config::quoted(value) +
                                        " instead of a whole number from 1 on");
        executable.cores_per_process = static_cast<int>(*cores);
    } else {
        throw std::invalid_argument(config::quoted(key) + " instead of sizes=, speedup=, "
                                                          "cores-per-process= or application=");
    }
}

void read_executable(std::string_view text, SwfHeader &header) {
    std::string_view word = take_word(text);
    const bool colon = !word.empty() && word.back() == ':';
    const auto number = config::whole_number(word.substr(0, word.size() - (colon ? 1 : 0)), 0,
                                             std::numeric_limits<int>::max());
    if (!number || !colon)
        throw BadLine{"vmsim executable: " + config::quoted(word) +
                      " instead of its number and a colon"};
    Executable executable;
    set_kind(take_word(text), executable);
    while (!text.empty()) {
        constexpr std::string_view application = "application=";
        if (text.substr(0, application.size()) == application) { // to the end of the line
            executable.application = text.substr(application.size());
            break;
        }
        word = take_word(text);
        const std::size_t equals = std::min(word.find('='), word.size());
        try {
            set_attribute(word.substr(0, equals),
                          std::string(word.substr(std::min(equals + 1, word.size()))), executable);
        } catch (const std::invalid_argument &error) {
            throw BadLine{std::string("vmsim executable: ") + error.what()};
        }
    }
    header.executables[static_cast<int>(*number)] = executable;
}

} // namespace

void parse_swf_comment(std::string_view line, SwfHeader &header) {
    line = trimmed(line.substr(std::min(line.find_first_not_of(';'), line.size())));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return;
    const std::string label(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    constexpr int highest = std::numeric_limits<int>::max();
    if (label == "MaxProcs")
        header.max_processors = static_cast<int>(leading_number(label, value, highest));
    else if (label == "MaxNodes")
        header.max_nodes = static_cast<int>(leading_number(label, value, highest));
    else if (label == "UnixStartTime")
        header.unix_start_time =
            leading_number(label, value, std::numeric_limits<long long>::max());
    else if (label == "Queue")
        name_number(value, header.queues);
    else if (label == "Partition")
        name_number(value, header.partitions);
    else if (label == "Note" && value.substr(0, executable_label.size()) == executable_label)
        read_executable(value.substr(executable_label.size()), header);
}

} // namespace vmall::sim

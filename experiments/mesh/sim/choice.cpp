// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which policy of McCann's thesis, by the names of its figures.
#include "experiments/mesh/sim/choice.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim::mesh {

namespace {

const std::string fold_prefix = "fold-";
constexpr std::size_t most_digits = 7; // 9,999,999 seconds are months

[[noreturn]] void refuse(const std::string &name) {
    throw std::invalid_argument("\"" + name +
                                "\" is none of equi, equi+, fold-inf, fold-SECONDS, fold-SECONDSj");
}

bool are_digits(const std::string &text) {
    return !text.empty() && text.size() <= most_digits &&
           text.find_first_not_of("0123456789") == std::string::npos;
}

Choice parse_fold(const std::string &name) {
    Choice choice{Family::fold};
    std::string seconds = name.substr(fold_prefix.size());
    if (seconds == "inf")
        return choice;
    if (!seconds.empty() && seconds.back() == 'j') {
        choice.times_the_jobs = true;
        seconds.pop_back();
    }
    if (!are_digits(seconds) || std::stoi(seconds) == 0)
        refuse(name);
    choice.interval = std::stoi(seconds);
    return choice;
}

} // namespace

policy::mesh::Mapping Choice::mapping() const {
    return family == Family::equi_plus ? policy::mesh::Mapping::snake
                                       : policy::mesh::Mapping::contraction;
}

Choice parse_choice(const std::string &name) {
    if (name == "equi")
        return {Family::equi};
    if (name == "equi+")
        return {Family::equi_plus};
    if (name.compare(0, fold_prefix.size(), fold_prefix) == 0)
        return parse_fold(name);
    refuse(name);
}

policy::mesh::Mesh parse_mesh(const std::string &text) {
    using policy::mesh::is_power_of_two;
    const std::size_t cross = std::min(text.find('x'), text.size());
    const std::string rows = text.substr(0, cross);
    const std::string columns = text.substr(std::min(cross + 1, text.size()));
    if (!are_digits(rows) || !are_digits(columns) || !is_power_of_two(std::stoi(rows)) ||
        !is_power_of_two(std::stoi(columns))) {
        throw std::invalid_argument("\"" + text +
                                    "\" is no mesh: ROWSxCOLUMNS, both powers of two");
    }
    return {policy::mesh::floor_log2(std::stoi(rows)),
            policy::mesh::floor_log2(std::stoi(columns))};
}

std::string to_text(const Choice &choice) {
    if (choice.family != Family::fold)
        return choice.family == Family::equi ? "equi" : "equi+";
    if (choice.interval == 0)
        return fold_prefix + "inf";
    return fold_prefix + std::to_string(static_cast<int>(choice.interval)) +
           (choice.times_the_jobs ? "j" : "");
}

std::unique_ptr<policy::mesh::Partitioner> make_partitioner(const Choice &choice,
                                                            const policy::mesh::Mesh &mesh) {
    return choice.family == Family::fold ? policy::mesh::make_folding(mesh)
                                         : policy::mesh::make_equipartition(mesh, choice.mapping());
}

} // namespace vmall::sim::mesh

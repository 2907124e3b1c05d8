// SPDX-License-Identifier: GPL-2.0-or-later
//
// As Slurm reads its files: keys in any case, blanks around '=', a backslash at the end of a line
// that goes on, '#' before a comment.
#include "spank_vm/node/slurm_conf.hpp"

#include "common/files.hpp"
#include "config/number.hpp"

#include <slurm/slurm.h>

#include <cstdlib>
#include <memory>
#include <regex>
#include <sstream>
#include <type_traits>

namespace vmall::spank_vm {

namespace {

constexpr std::size_t highest_file_bytes = 64u << 20;
constexpr int deepest_include = 16;

struct DestroyList {
    template <typename List>
    void operator()(List *list) const {
        slurm_hostlist_destroy(list);
    }
};
using HostList =
    std::unique_ptr<std::remove_pointer_t<decltype(slurm_hostlist_create(""))>, DestroyList>;

std::string without_comment(const std::string &line) {
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1))
        if (at == 0 || line[at - 1] != '\\')
            return line.substr(0, at);
    return line;
}

std::string beside(const std::string &path, const std::string &included) {
    const auto slash = path.rfind('/');
    return included.front() == '/' || slash == std::string::npos
               ? included
               : path.substr(0, slash + 1) + included;
}

} // namespace

ConfLine SlurmConf::parse_line(std::string_view text) {
    static const std::regex pair(R"(([A-Za-z][\w]*)\s*[-+]?=\s*("[^"]*"|\S*))");
    ConfLine line;
    const std::string copy(text);
    for (std::sregex_iterator found(copy.begin(), copy.end(), pair), end; found != end; ++found) {
        std::string value = (*found)[2];
        if (value.size() >= 2 && value.front() == '"')
            value = value.substr(1, value.size() - 2);
        line[config::lower_case((*found)[1].str())] = value;
    }
    return line;
}

SlurmConf SlurmConf::read(const std::string &path) {
    SlurmConf conf;
    conf.add_file(path, 0);
    return conf;
}

void SlurmConf::add_file(const std::string &path, int depth) {
    std::istringstream file(common::read_file(path, highest_file_bytes).value_or(""));
    std::string whole, line;
    while (std::getline(file, line)) {
        line = without_comment(line);
        const auto end = line.find_last_not_of(" \t\r");
        if (end != std::string::npos && line[end] == '\\') {
            whole += line.substr(0, end);
            continue;
        }
        add_line(whole + line, path, depth);
        whole.clear();
    }
    add_line(whole, path, depth);
}

void SlurmConf::add_line(const std::string &line, const std::string &path, int depth) {
    static const std::regex include(R"(\s*include\s+(\S+)\s*)", std::regex::icase);
    std::smatch match;
    if (std::regex_match(line, match, include)) {
        if (depth < deepest_include)
            add_file(beside(path, match[1]), depth + 1);
        return;
    }
    ConfLine parsed = parse_line(line);
    const auto name = parsed.find("nodename");
    if (parsed.count("partitionname") != 0)
        return;
    if (name == parsed.end()) {
        for (auto &[key, value] : parsed)
            settings_[key] = value;
    } else if (config::lower_case(name->second) == "default") {
        parsed.merge(node_defaults_);
        node_defaults_ = parsed;
    } else {
        parsed.insert(node_defaults_.begin(), node_defaults_.end());
        nodes_.push_back(parsed);
    }
}

std::string SlurmConf::value(const std::string &key, const std::string &otherwise) const {
    const auto found = settings_.find(key);
    return found == settings_.end() ? otherwise : found->second;
}

std::optional<SlurmConf::NodeLine> SlurmConf::find_node(const std::string &key,
                                                        const std::string &name) const {
    for (const ConfLine &line : nodes_) {
        const auto names = line.find(key);
        if (names == line.end())
            continue;
        const HostList list(slurm_hostlist_create(names->second.c_str()));
        const int index = list ? slurm_hostlist_find(list.get(), name.c_str()) : -1;
        if (index >= 0)
            return NodeLine{line, index};
    }
    return std::nullopt;
}

std::string nth_host(const std::string &text, int index) {
    const HostList list(slurm_hostlist_create(text.c_str()));
    for (int at = 0; list; ++at) {
        const std::unique_ptr<char, decltype(&std::free)> host(slurm_hostlist_shift(list.get()),
                                                               &std::free);
        if (!host)
            break;
        if (at == index)
            return host.get();
    }
    return "";
}

} // namespace vmall::spank_vm

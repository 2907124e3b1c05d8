// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurm.conf, or a file of its form, says. SPANK tells plugins nothing of it, and what Slurm
// keeps in its own memory is laid out differently in each release.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vmall::spank_vm {

using ConfLine = std::map<std::string, std::string>; // by key in small letters

class SlurmConf {
  public:
    // With what it includes; a file that is not there says nothing. Throws std::system_error.
    static SlurmConf read(const std::string &path);
    static ConfLine parse_line(std::string_view line);

    // As the last line says that has the key, in small letters; else `otherwise`.
    std::string value(const std::string &key, const std::string &otherwise) const;
    // The line of that node by this key of small letters (nodename, nodehostname), and where it is
    // among those of the line; what the line lacks is as NodeName=DEFAULT says.
    struct NodeLine {
        ConfLine line;
        int index = 0;
    };
    std::optional<NodeLine> find_node(const std::string &key, const std::string &name) const;

  private:
    void add_file(const std::string &path, int depth);
    void add_line(const std::string &line, const std::string &path, int depth);

    ConfLine settings_;
    ConfLine node_defaults_;
    std::vector<ConfLine> nodes_;
};

// The one of the host list that is there; empty: the list is shorter.
std::string nth_host(const std::string &list, int index);

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which CPUs of the operating system stand behind Slurm's core indices on this node.
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <vector>

namespace vmall::agent {

class CoreMap {
  public:
    // Of this machine, or the part of it that our own cpuset leaves us. `claimed_cores` is how many
    // the node has according to slurm.conf; 0: as many as there are. Throws std::runtime_error if
    // the machine cannot be read or has a CPU number that does not fit into a control block.
    explicit CoreMap(std::uint32_t claimed_cores);
    CoreMap(hwloc_topology_t topology, std::uint32_t claimed_cores); // of a loaded topology

    std::uint32_t claimed_cores() const { return claimed_cores_; }
    // More cores are claimed than there are: claimed core i is then the real core i modulo their
    // number.
    bool overclaimed() const { return claimed_cores_ > units_.size(); }
    // CPUs of the cores, each followed by its neighbours, without repeats. Throws std::out_of_range
    // if a core is not among the claimed ones.
    std::vector<std::uint16_t> cpus(const std::vector<std::uint32_t> &cores) const;

  private:
    std::uint32_t claimed_cores_ = 0;
    std::vector<std::vector<std::uint16_t>> units_; // CPUs of what Slurm counts as a core
};

} // namespace vmall::agent

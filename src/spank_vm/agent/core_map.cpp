// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm numbers a node's cores socket by socket, as hwloc's logical order does.
#include "spank_vm/agent/core_map.hpp"

#include "layout/control_block.h"

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace vmall::agent {

namespace {

struct DestroyTopology {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

// Without the flag to include what is disallowed, hwloc shows only what our cpuset allows.
Topology load_this_machine() {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        throw std::runtime_error("hwloc: out of memory");
    Topology topology(raw);
    if (hwloc_topology_load(raw) != 0)
        throw std::runtime_error("hwloc cannot read this machine's topology");
    return topology;
}

std::vector<std::uint16_t> cpus_of(hwloc_obj_t object) {
    std::vector<std::uint16_t> cpus;
    if (object->type == HWLOC_OBJ_PU) {
        if (object->os_index >= VMALL_CONTROL_MAX_CPUS)
            throw std::runtime_error("CPU " + std::to_string(object->os_index) + ": numbers over " +
                                     std::to_string(VMALL_CONTROL_MAX_CPUS - 1) +
                                     " are not supported");
        cpus.push_back(static_cast<std::uint16_t>(object->os_index));
    }
    for (unsigned i = 0; i < object->arity; ++i)
        for (const std::uint16_t cpu : cpus_of(object->children[i]))
            cpus.push_back(cpu);
    return cpus;
}

// What Slurm counts: cores, unless slurm.conf gives only CPUs, and then each CPU is a core to it.
hwloc_obj_type_t counted(hwloc_topology_t topology, std::uint32_t claimed_cores) {
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    const int cpus = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    const auto claimed = static_cast<long>(claimed_cores);
    return cores <= 0 || (claimed > cores && claimed <= cpus) ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE;
}

} // namespace

CoreMap::CoreMap(std::uint32_t claimed_cores) : CoreMap(load_this_machine().get(), claimed_cores) {}

CoreMap::CoreMap(hwloc_topology_t topology, std::uint32_t claimed_cores) {
    const hwloc_obj_type_t type = counted(topology, claimed_cores);
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(topology, type, object)))
        units_.push_back(cpus_of(object));
    if (units_.empty())
        throw std::runtime_error("hwloc shows no CPU of this machine");
    claimed_cores_ = claimed_cores != 0 ? claimed_cores : static_cast<std::uint32_t>(units_.size());
}

std::vector<std::uint16_t> CoreMap::cpus(const std::vector<std::uint32_t> &cores) const {
    std::set<std::size_t> units; // logical order: neighbours next to each other
    for (const std::uint32_t core : cores) {
        if (core >= claimed_cores_)
            throw std::out_of_range("core " + std::to_string(core) + " is not one of the " +
                                    std::to_string(claimed_cores_) + " of this node");
        units.insert(core % units_.size());
    }
    std::vector<std::uint16_t> cpus;
    for (const std::size_t unit : units)
        cpus.insert(cpus.end(), units_[unit].begin(), units_[unit].end());
    return cpus;
}

} // namespace vmall::agent

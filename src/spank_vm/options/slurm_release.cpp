// SPDX-License-Identifier: GPL-2.0-or-later
//
// The API has a number of its own, which changes with each major release and stays with it.
#include "spank_vm/options/slurm_release.hpp"

#include <dlfcn.h>
#include <slurm/slurm.h>

#include <algorithm>
#include <iterator>

namespace vmall::spank_vm {

namespace {

struct Row {
    long api;
    std::uint32_t release;
};

// spank.h of these has the same functions and numbers, and our daemons' tests have run with them.
constexpr Row rows[] = {
    {38, SLURM_VERSION_NUM(22, 5, 0)}, {40, SLURM_VERSION_NUM(23, 11, 0)},
    {41, SLURM_VERSION_NUM(24, 5, 0)}, {42, SLURM_VERSION_NUM(24, 11, 0)},
    {43, SLURM_VERSION_NUM(25, 5, 0)}, {44, SLURM_VERSION_NUM(25, 11, 0)},
    {45, SLURM_VERSION_NUM(26, 5, 0)},
};

} // namespace

std::uint32_t release_of_api(long api_version) noexcept {
    const auto *row = std::find_if(std::begin(rows), std::end(rows), [&](const Row &one) {
        return one.api == SLURM_VERSION_MAJOR(api_version);
    });
    return row == std::end(rows) ? 0 : row->release;
}

std::uint32_t running_release() noexcept {
    const auto api_version = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, "slurm_api_version"));
    return api_version ? release_of_api(api_version()) : 0;
}

} // namespace vmall::spank_vm

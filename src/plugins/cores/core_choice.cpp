// SPDX-License-Identifier: GPL-2.0-or-later
//
// Closeness is the core number: neighbours in number share caches, equal quotients share a socket.
#include "plugins/cores/core_choice.hpp"

#include <algorithm>
#include <tuple>

namespace vmall::cores {

Cores keep(const Cores &held, std::uint32_t cores_per_socket, std::size_t count) {
    if (count >= held.size() || count == 0)
        return held;
    const auto cost = [&](std::size_t first) {
        const std::uint32_t low = held[first], high = held[first + count - 1];
        return std::make_tuple(high / cores_per_socket - low / cores_per_socket, high - low, low);
    };
    std::size_t best = 0;
    for (std::size_t first = 1; first + count <= held.size(); ++first)
        if (cost(first) < cost(best))
            best = first;
    const auto begin = held.begin() + static_cast<std::ptrdiff_t>(best);
    return Cores(begin, begin + static_cast<std::ptrdiff_t>(count));
}

Cores extend(const Cores &held, const Cores &free, std::uint32_t cores_per_socket,
             std::size_t count) {
    const auto cost = [&](std::uint32_t core) {
        bool elsewhere = true;
        std::uint32_t distance = UINT32_MAX;
        for (std::uint32_t mine : held) {
            elsewhere = elsewhere && mine / cores_per_socket != core / cores_per_socket;
            distance = std::min(distance, mine > core ? mine - core : core - mine);
        }
        return std::make_tuple(elsewhere, distance, core);
    };
    Cores candidates = free;
    std::sort(candidates.begin(), candidates.end(),
              [&](std::uint32_t a, std::uint32_t b) { return cost(a) < cost(b); });
    const std::size_t wanted = count > held.size() ? count - held.size() : 0;
    candidates.resize(std::min(wanted, candidates.size()));
    Cores result = held;
    result.insert(result.end(), candidates.begin(), candidates.end());
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace vmall::cores

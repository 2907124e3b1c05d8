// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines the ranks up and cuts the line into as many blocks as there are places.
#include "libvmrt/placement.hpp"

namespace vmall::runtime {
namespace {

// Programs of the same size are told apart by counting: the second "rank 1 of 4" belongs to the
// second program of 4. Which of two such programs that start together a rank is counted to does not
// matter.
struct Line {
    std::uint32_t programs_of_size[VMALL_RUNTIME_SLOTS + 1];
    std::uint32_t program_of_member[VMALL_RUNTIME_SLOTS];
};

void find_programs(const Member *members, std::uint32_t count, Line &line) {
    for (std::uint32_t &programs : line.programs_of_size)
        programs = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const LocalRank &local = members[i].local;
        std::uint32_t program = 0;
        for (std::uint32_t earlier = 0; earlier < i; ++earlier)
            program += members[earlier].local.rank == local.rank &&
                       members[earlier].local.size == local.size;
        line.program_of_member[i] = program;
        if (line.programs_of_size[local.size] < program + 1)
            line.programs_of_size[local.size] = program + 1;
    }
}

// At most VMALL_RUNTIME_SLOTS programs of at most VMALL_RUNTIME_SLOTS ranks: no overflow.
std::uint32_t ranks_in_smaller_programs(const Line &line, std::uint32_t size) {
    std::uint32_t ranks = 0;
    for (std::uint32_t smaller = 1; smaller < size; ++smaller)
        ranks += smaller * line.programs_of_size[smaller];
    return ranks;
}

std::uint32_t position(const Line &line, const Member &member, std::uint32_t program) {
    return ranks_in_smaller_programs(line, member.local.size) + program * member.local.size +
           member.local.rank;
}

} // namespace

std::uint32_t place_count(Room room) {
    return room.cpu_count < room.cpus_per_rank ? 1 : room.cpu_count / room.cpus_per_rank;
}

std::uint32_t first_cpu_of_place(Room room, std::uint32_t index) {
    return static_cast<std::uint32_t>(std::uint64_t{index} * room.cpu_count / place_count(room));
}

bool place(const Member *members, std::uint32_t count, std::uint32_t slot, Room room,
           Place &result) {
    Line line;
    find_programs(members, count, line);
    const std::uint32_t ranks = ranks_in_smaller_programs(line, VMALL_RUNTIME_SLOTS + 1);
    const std::uint32_t places = place_count(room);
    const auto place_of = [&](std::uint32_t i) {
        const std::uint64_t where = position(line, members[i], line.program_of_member[i]);
        return static_cast<std::uint32_t>(where * places / ranks);
    };

    std::uint32_t self = 0;
    while (self < count && members[self].slot != slot)
        ++self;
    if (self == count)
        return false;
    const std::uint32_t own = place_of(self);
    result.folded = std::uint64_t{ranks} * room.cpus_per_rank > room.cpu_count;
    result.first_cpu = first_cpu_of_place(room, own);
    result.width = first_cpu_of_place(room, own + 1) - result.first_cpu;
    result.peer_count = 0;
    for (std::uint32_t step = 1; step < count; ++step) {
        const std::uint32_t i = (self + step) % count;
        if (place_of(i) == own)
            result.peers[result.peer_count++] = static_cast<std::uint16_t>(members[i].slot);
    }
    return true;
}

} // namespace vmall::runtime

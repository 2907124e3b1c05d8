// SPDX-License-Identifier: GPL-2.0-or-later
//
// One function for each rule.
#include "libvmrt/next_rank.hpp"

#include "libvmrt/membership.hpp"
#include "libvmrt/shared_word.hpp"

namespace vmall::runtime {
namespace {

std::uint64_t unconsumed(const vmall_runtime_slot &slot) {
    const std::uint64_t arrived = load_relaxed(slot.arrived);
    const std::uint64_t consumed = load_relaxed(slot.consumed);
    return arrived > consumed ? arrived - consumed : 0;
}

// It would poll in vain, as far as its messages tell.
bool is_blocked(const vmall_runtime_slot &slot) {
    return load_relaxed(slot.waits_for) != 0 && unconsumed(slot) == 0;
}

// As far as its messages tell. One that does not sleep computes.
bool might_go_on(const vmall_runtime_slot &slot) {
    return load_relaxed(slot.state) != VMALL_RUNTIME_WAITING || load_relaxed(slot.arrived) == 0 ||
           heard_of(slot) != load_relaxed(slot.heard);
}

struct Choice {
    const vmall_runtime_page &page;
    const Line &line;

    template <typename Predicate>
    std::uint32_t first_ready(std::uint32_t start, Predicate is_wanted) const {
        for (std::uint32_t i = 0; i < line.count; ++i) {
            const std::uint32_t rank = line.ranks[(start + i) % line.count];
            if (is_wanted(page.slots[rank]) && is_ready(page, line, rank))
                return rank;
        }
        return no_slot;
    }

    std::uint32_t round_robin(std::uint32_t start = 0) const {
        return first_ready(
            start, [](const vmall_runtime_slot &) { return true; });
    }

    // Beginning with another rank each time, whoever gives.
    std::uint32_t rotation(std::uint32_t times) const {
        const std::uint32_t all = line.count + 1;
        return round_robin((times % all + all - line.givers_place) % all);
    }

    std::uint32_t most_messages() const {
        std::uint32_t found = no_slot;
        std::uint64_t most = 0;
        for (std::uint32_t i = 0; i < line.count; ++i) {
            const std::uint32_t rank = line.ranks[i];
            const std::uint64_t messages = unconsumed(page.slots[rank]);
            if ((found == no_slot || messages > most) && is_ready(page, line, rank)) {
                found = rank;
                most = messages;
            }
        }
        return found;
    }

    std::uint32_t next_with_messages() const {
        return first_ready(
            0, [](const vmall_runtime_slot &slot) { return unconsumed(slot) > 0; });
    }

    std::uint32_t sender(std::uint32_t giver) const {
        const std::uint32_t awaited = load_relaxed(page.slots[giver].waits_for);
        const std::uint32_t rank = first_ready(0, [awaited](const vmall_runtime_slot &slot) {
            return awaited != 0 && speaks(slot, awaited) && !is_blocked(slot);
        });
        return rank == no_slot ? next_with_messages() : rank;
    }

    std::uint32_t by(vmall_next_rank rule, std::uint32_t giver) const {
        switch (rule) {
        case VMALL_NEXT_MESSAGES:
            return most_messages();
        case VMALL_NEXT_SENDER:
            return sender(giver);
        case VMALL_NEXT_ROUND_ROBIN:
            return first_ready(0, might_go_on);
        }
        return no_slot;
    }
};

} // namespace

bool is_ready(const vmall_runtime_page &page, const Line &line, std::uint32_t slot) {
    const vmall_runtime_slot &rank = page.slots[slot];
    const std::uint32_t state = load(rank.state);
    return (state == VMALL_RUNTIME_WAITING || state == VMALL_RUNTIME_RUNNING) &&
           load(rank.cpu_plus_1) == line.cpu + 1 && load(rank.turn_on_plus_1) == 0 &&
           load(rank.owner) != 0;
}

bool speaks(const vmall_runtime_slot &slot, std::uint32_t as) {
    for (const std::uint32_t &voice : slot.speaks_as)
        if (load_relaxed(voice) == as)
            return load_relaxed(slot.owner) != 0;
    return false;
}

std::uint32_t heard_of(const vmall_runtime_slot &rank) {
    return load(rank.news);
}

bool has_news(const vmall_runtime_page &page, const Line &line) {
    return Choice{page, line}.first_ready(0, might_go_on) != no_slot;
}

std::uint32_t choose_next(vmall_next_rank rule, const vmall_runtime_page &page, const Line &line,
                          std::uint32_t giver, std::uint32_t turn) {
    const Choice choice{page, line};
    if (turn % rotation_period == 0)
        return choice.rotation(turn / rotation_period);
    const std::uint32_t rank = choice.by(rule, giver);
    return rank == no_slot ? choice.round_robin() : rank;
}

} // namespace vmall::runtime

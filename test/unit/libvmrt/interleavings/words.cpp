// SPDX-License-Identifier: GPL-2.0-or-later
#include "words.hpp"

#include <cstddef>

namespace vmall::interleavings {
namespace {

struct Field {
    std::size_t offset;
    const char *name;
};

const Field slot_fields[] = {
    {offsetof(vmall_runtime_slot, owner), "owner"},
    {offsetof(vmall_runtime_slot, state), "state"},
    {offsetof(vmall_runtime_slot, wake), "wake"},
    {offsetof(vmall_runtime_slot, cpu_plus_1), "cpu_plus_1"},
    {offsetof(vmall_runtime_slot, turn_on_plus_1), "turn_on_plus_1"},
    {offsetof(vmall_runtime_slot, arrived), "arrived"},
    {offsetof(vmall_runtime_slot, news), "news"},
};

std::string name_of(const vmall_runtime_page &page, const volatile void *word) {
    const auto offset = static_cast<std::size_t>(static_cast<const volatile char *>(word) -
                                                 reinterpret_cast<const char *>(&page));
    constexpr std::size_t slots = offsetof(vmall_runtime_page, slots);
    constexpr std::size_t queues = offsetof(vmall_runtime_page, queues);
    if (offset >= queues && offset < sizeof page)
        return "token of CPU " + std::to_string((offset - queues) / sizeof(vmall_runtime_queue));
    if (offset >= slots && offset < queues) {
        const std::size_t at = offset - slots;
        for (const Field &field : slot_fields)
            if (field.offset == at % sizeof(vmall_runtime_slot))
                return std::string(field.name) + " of rank " +
                       std::to_string(at / sizeof(vmall_runtime_slot));
    }
    return "a word";
}

} // namespace

std::string to_text(Access access, const vmall_runtime_page &page, const volatile void *word,
                    std::uint64_t value) {
    const std::string name = name_of(page, word);
    switch (access) {
    case Access::load:
        return "looks at " + name;
    case Access::store:
        return "sets " + name + " to " + std::to_string(value);
    case Access::replace:
        return "tries to make " + name + " " + std::to_string(value);
    case Access::increment:
        return "counts " + name + " up";
    }
    return {};
}

} // namespace vmall::interleavings

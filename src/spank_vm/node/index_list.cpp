// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of indices, strictly read (hwloc's own reader is lenient), kept in hwloc's bitmaps.
#include "spank_vm/node/index_list.hpp"

#include "common/split.hpp"

#include <hwloc.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace vmall::spank_vm {

namespace {

struct FreeBitmap {
    void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

Bitmap empty_bitmap() {
    Bitmap bitmap(hwloc_bitmap_alloc());
    if (!bitmap)
        throw std::bad_alloc();
    return bitmap;
}

[[noreturn]] void refuse(const std::string &text) {
    throw std::invalid_argument("'" + text.substr(0, 80) + "' is not a list of indices");
}

// An index that ends where `item` ends.
std::optional<std::uint32_t> parse_index(std::string_view item) {
    std::uint32_t index = 0;
    const char *end = item.data() + item.size();
    const auto [stop, error] = std::from_chars(item.data(), end, index);
    if (error != std::errc() || stop != end || index > highest_index)
        return std::nullopt;
    return index;
}

} // namespace

std::vector<std::uint32_t> parse_index_list(const std::string &text) {
    if (text.empty())
        return {};
    const Bitmap bitmap = empty_bitmap();
    for (const std::string_view item : common::split(text, ',')) {
        const std::size_t dash = item.find('-');
        const auto first = parse_index(item.substr(0, dash));
        const auto last = dash == item.npos ? first : parse_index(item.substr(dash + 1));
        if (!first || !last || *first > *last)
            refuse(text);
        if (hwloc_bitmap_set_range(bitmap.get(), *first, static_cast<int>(*last)) != 0)
            throw std::bad_alloc();
    }
    std::vector<std::uint32_t> indices;
    for (int i = hwloc_bitmap_first(bitmap.get()); i >= 0; i = hwloc_bitmap_next(bitmap.get(), i))
        indices.push_back(static_cast<std::uint32_t>(i));
    return indices;
}

std::string format_index_list(const std::vector<std::uint32_t> &indices) {
    const Bitmap bitmap = empty_bitmap();
    for (const std::uint32_t index : indices)
        if (hwloc_bitmap_set(bitmap.get(), index) != 0)
            throw std::bad_alloc();
    char *text = nullptr;
    if (hwloc_bitmap_list_asprintf(&text, bitmap.get()) < 0)
        throw std::bad_alloc();
    const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
    return text;
}

} // namespace vmall::spank_vm

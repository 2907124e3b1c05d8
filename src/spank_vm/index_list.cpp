// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of indices, through hwloc's bitmaps.
#include "spank_vm/index_list.hpp"

#include <hwloc.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

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

// hwloc reads a list leniently and allocates whatever its numbers ask for.
bool looks_sane(const std::string &text) {
    std::size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 5 || (digits == 0 && c != ',' && c != '-'))
            return false;
    }
    return digits > 0;
}

} // namespace

std::vector<std::uint32_t> parse_index_list(const std::string &text) {
    std::vector<std::uint32_t> indices;
    if (text.empty())
        return indices;
    const Bitmap bitmap = empty_bitmap();
    if (!looks_sane(text) || hwloc_bitmap_list_sscanf(bitmap.get(), text.c_str()) != 0 ||
        hwloc_bitmap_last(bitmap.get()) > static_cast<int>(highest_index))
        throw std::invalid_argument("'" + text.substr(0, 80) + "' is not a list of indices");
    for (int i = hwloc_bitmap_first(bitmap.get()); i >= 0; i = hwloc_bitmap_next(bitmap.get(), i))
        indices.push_back(static_cast<std::uint32_t>(i));
    if (indices.empty())
        throw std::invalid_argument("'" + text.substr(0, 80) + "' is not a list of indices");
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

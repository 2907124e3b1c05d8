// SPDX-License-Identifier: GPL-2.0-or-later
//
// How EQUI and EQUI+ divide the mesh.
#include "experiments/mesh/policy/equipartition.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::policy::mesh {

namespace {

// The layout when bands are rows of the mesh.
struct Layout {
    int bands = 1;                  // 2^X
    int remainder = 0;              // W
    std::vector<int> regular_width; // columns of each of the Y partitions of a band
    int remainder_width = 0;
};

int choose_log_bands(const Mesh &mesh, int jobs) {
    const int log_jobs = floor_log2(jobs);
    const int log_jobs_up = log_jobs + (is_power_of_two(jobs) ? 0 : 1);
    const int least = std::max(0, log_jobs_up - mesh.log_columns());
    return std::clamp(divide_up(log_jobs, 2), least, mesh.log_rows());
}

// Z_m, from below: eq. 4.2 unless the remainder's height is a power of two.
int guaranteed_remainder_width(const Mesh &mesh, int jobs, int remainder) {
    const int fair = mesh.columns() * remainder / jobs;
    return is_power_of_two(remainder) || fair == 0 ? fair : 1 << floor_log2(fair);
}

// Columns that the remainder section would take next; none if it has no partitions.
int remainder_step(const Layout &layout) {
    if (layout.remainder == 0)
        return 0;
    const bool any_width = is_power_of_two(layout.remainder) || layout.remainder_width == 0;
    return any_width ? 1 : layout.remainder_width;
}

void give_spare_columns(Layout &layout, int spare) {
    while (spare > 0) {
        auto narrowest = std::min_element(layout.regular_width.begin(), layout.regular_width.end());
        const int step = remainder_step(layout);
        // Processors of the smallest partition of each section, without the division by the
        // number of partitions that a stack of them shares.
        const int regular_share = *narrowest * layout.remainder;
        const int remainder_share = layout.remainder_width * layout.bands;
        if (step > 0 && step <= spare && remainder_share < regular_share) {
            layout.remainder_width += step;
            spare -= step;
        } else {
            ++*narrowest;
            --spare;
        }
    }
}

Layout lay_out(const Mesh &mesh, int jobs) {
    Layout layout;
    layout.bands = 1 << choose_log_bands(mesh, jobs);
    const int per_band = jobs / layout.bands;
    layout.remainder = jobs - layout.bands * per_band;
    const int guaranteed = mesh.columns() * layout.bands / jobs;
    layout.regular_width.assign(per_band, guaranteed);
    layout.remainder_width = guaranteed_remainder_width(mesh, jobs, layout.remainder);
    give_spare_columns(layout, mesh.columns() - per_band * guaranteed - layout.remainder_width);
    return layout;
}

std::vector<Rectangle> rectangles(const Mesh &mesh, const Layout &layout) {
    std::vector<Rectangle> result;
    const int height = mesh.rows() / layout.bands;
    for (int band = 0; band < layout.bands; band++) {
        int column = 0;
        for (const int width : layout.regular_width) {
            result.push_back({band * height, column, height, width});
            column += width;
        }
    }
    for (int part = 0; part < layout.remainder; part++) {
        const int row = part * mesh.rows() / layout.remainder;
        const int next_row = (part + 1) * mesh.rows() / layout.remainder;
        result.push_back(
            {row, mesh.columns() - layout.remainder_width, next_row - row, layout.remainder_width});
    }
    return result;
}

bool bands_are_columns(const Mesh &mesh, int jobs) {
    const int log_jobs = floor_log2(jobs);
    const bool turned = log_jobs >= 2 && log_jobs % 2 == 0;
    return turned != (mesh.log_columns() > mesh.log_rows());
}

} // namespace

std::vector<Rectangle> equipartition(const Mesh &mesh, int jobs) {
    if (jobs < 1 || jobs > mesh.processors())
        throw std::invalid_argument("a mesh is divided among 1 job up to one for each processor");
    if (!bands_are_columns(mesh, jobs))
        return rectangles(mesh, lay_out(mesh, jobs));
    const Mesh turned(mesh.log_columns(), mesh.log_rows());
    auto result = rectangles(turned, lay_out(turned, jobs));
    std::transform(result.begin(), result.end(), result.begin(),
                   [](const Rectangle &r) { return transposed(r); });
    return result;
}

} // namespace vmall::policy::mesh

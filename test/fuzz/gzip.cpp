// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines of a file, plain or compressed with gzip, xz or zstd.
#include "input_file.hpp"
#include "sim/trace/lines.hpp"
#include "sim/trace/trace_error.hpp"
#include "target.hpp"

namespace vmall::fuzz {

namespace {

// A file unpacks to a thousand times its size.
constexpr std::size_t most_lines = 10000;

} // namespace

void decode(const std::string &input) {
    static InputFile file;
    try {
        sim::Lines lines(file.holding(input));
        std::string_view line;
        for (std::size_t number = 1; number <= most_lines && lines.next(line); ++number) {
            expect(lines.number() == number, "lines are counted");
            expect(line.find('\n') == std::string_view::npos, "a line is one");
        }
    } catch (const sim::TraceError &) {
    }
}

} // namespace vmall::fuzz

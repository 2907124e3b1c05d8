// SPDX-License-Identifier: GPL-2.0-or-later
//
// Length of the longest common subsequence of two generated strings, columns dealt out to the
// ranks: row by row the wave runs through all of them with one blocking message per row and
// neighbour. Every round begins anew.
#include "arguments.h"
#include "rounds.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

// Letters of a reproducible string over a small alphabet.
char letter(std::uint64_t text, long position) {
    std::uint64_t mixed = text * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(position);
    mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9u;
    return static_cast<char>('a' + (mixed >> 33) % 4);
}

// Best lengths of the row so far: [0] is the left neighbour's last column.
using Row = std::vector<int>;

void advance(const Row &above, Row &row, long first_column, long line) {
    for (std::size_t i = 1; i < row.size(); ++i)
        row[i] = letter(1, line) == letter(2, first_column + static_cast<long>(i) - 1)
                     ? above[i - 1] + 1
                     : std::max(above[i], row[i - 1]);
}

int longest(long length) {
    int rank = 0, ranks = 0;
    long first = 0, columns = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    block_of(length, ranks, rank, &first, &columns);
    Row above(static_cast<std::size_t>(columns) + 1), row(above.size());
    for (long line = 0; line < length; ++line) {
        if (rank > 0)
            MPI_Recv(&row.front(), 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        advance(above, row, first, line);
        if (rank < ranks - 1)
            MPI_Send(&row.back(), 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        std::swap(above, row);
    }
    int result = above.back();
    MPI_Bcast(&result, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
    return result;
}

} // namespace

int main(int argc, char **argv) {
    argument arguments[] = {{"length", 1, 1000000, 0}};
    MPI_Init(&argc, &argv);
    rounds rounds = take_rounds(&argc, argv, 1);
    parse_arguments(argc, argv, arguments, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double sum = 0;
    while (another_round(&rounds))
        sum += longest(arguments[0].value);
    report("wavefront", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}

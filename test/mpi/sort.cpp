// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sorts random whole numbers: each round every rank sends its numbers to the ranks whose ranges of
// values they are in, and sorts what it gets. The checksum is the same for every number of ranks.
#include "arguments.h"
#include "random.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

constexpr long values = 1L << 20; // a number is 0 ... values - 1
using Numbers = std::vector<int>;

struct Ranks {
    int rank, count;
    // Whose range of values it is in.
    std::size_t of(int number) const {
        return static_cast<std::size_t>(static_cast<long>(number) * count / values);
    }
};

// Sums of four: bell-shaped, so that the ranks in the middle get more to sort.
Numbers draw(long round, long total, const Ranks &ranks) {
    long first = 0, count = 0;
    block_of(total, ranks.count, ranks.rank, &first, &count);
    std::uint64_t state =
        random_skip(161803399u, 4 * static_cast<std::uint64_t>(round * total + first));
    Numbers numbers(static_cast<std::size_t>(count));
    for (int &number : numbers) {
        double sum = 0;
        for (int i = 0; i < 4; ++i)
            sum += random_next(&state);
        number = static_cast<int>(sum / 4 * values);
    }
    return numbers;
}

// By rank that they belong to; `counts` is how many to each.
Numbers in_buckets(const Numbers &numbers, const Ranks &ranks, Numbers &counts) {
    counts.assign(static_cast<std::size_t>(ranks.count), 0);
    for (const int number : numbers)
        ++counts[ranks.of(number)];
    Numbers at(counts.size(), 0), result(numbers.size());
    std::partial_sum(counts.begin(), counts.end() - 1, at.begin() + 1);
    for (const int number : numbers)
        result[static_cast<std::size_t>(at[ranks.of(number)]++)] = number;
    return result;
}

Numbers trade(const Numbers &out, const Numbers &out_counts) {
    Numbers in_counts(out_counts.size()), out_at(out_counts.size(), 0), in_at(out_at);
    MPI_Alltoall(out_counts.data(), 1, MPI_INT, in_counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::partial_sum(out_counts.begin(), out_counts.end() - 1, out_at.begin() + 1);
    std::partial_sum(in_counts.begin(), in_counts.end() - 1, in_at.begin() + 1);
    Numbers in(static_cast<std::size_t>(in_at.back() + in_counts.back()));
    MPI_Alltoallv(out.data(), out_counts.data(), out_at.data(), MPI_INT, in.data(),
                  in_counts.data(), in_at.data(), MPI_INT, MPI_COMM_WORLD);
    return in;
}

// Of every number times its place in the sorted whole.
double sum_of_places(const Numbers &numbers) {
    long count = static_cast<long>(numbers.size()), end = 0;
    MPI_Scan(&count, &end, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    std::uint64_t mine = 0, sum = 0;
    long place = end - count;
    for (const int number : numbers)
        mine += static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(place++ % 1021);
    MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return static_cast<double>(sum % (1ULL << 40));
}

} // namespace

int main(int argc, char **argv) {
    argument arguments[] = {{"thousand-numbers", 1, 1000000, 0}, {"rounds", 1, 1000000, 0}};
    Ranks ranks{};
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double checksum = 0;
    for (long round = 0; round < arguments[1].value; ++round) {
        Numbers counts;
        const Numbers out =
            in_buckets(draw(round, arguments[0].value * 1000, ranks), ranks, counts);
        Numbers in = trade(out, counts);
        std::sort(in.begin(), in.end());
        checksum += sum_of_places(in);
    }
    report("sort", checksum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Heat in a periodic n x n x n box by Fourier transforms: the field is transformed once, then for
// every step damped and transformed back. Planes are dealt out to the ranks; the direction across
// the planes is made local by MPI_Alltoall. The checksum is the same for every number of ranks.
#include "arguments.h"
#include "random.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using Complex = std::complex<double>;
using Field = std::vector<Complex>;

// Without the care for infinities that std::complex takes.
Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Transforms lines of n numbers, n a power of two, radix 2 in place; not scaled.
class Transform {
  public:
    explicit Transform(long n) : n_(n), root_(static_cast<std::size_t>(n)), line_(root_.size()) {
        for (long i = 0; i < n; ++i)
            root_[static_cast<std::size_t>(i)] = std::polar(1.0, -2 * std::acos(-1.0) * i / n);
    }

    // One line, whose numbers are `stride` apart.
    void apply(Complex *data, long stride, bool inverse) {
        for (long i = 0, reversed = 0; i < n_; ++i) {
            line_[static_cast<std::size_t>(reversed)] = data[i * stride];
            long bit = n_ / 2;
            for (; bit > 0 && (reversed & bit) != 0; bit /= 2)
                reversed ^= bit;
            reversed |= bit;
        }
        for (long half = 1; half < n_; half *= 2)
            combine(half, inverse);
        for (long i = 0; i < n_; ++i)
            data[i * stride] = line_[static_cast<std::size_t>(i)];
    }

  private:
    void combine(long half, bool inverse) {
        for (long start = 0; start < n_; start += 2 * half)
            for (long i = 0; i < half; ++i) {
                const Complex root = root_[static_cast<std::size_t>(i * (n_ / 2 / half))];
                Complex &low = line_[static_cast<std::size_t>(start + i)];
                Complex &high = line_[static_cast<std::size_t>(start + i + half)];
                const Complex turned = times(high, inverse ? std::conj(root) : root);
                high = low - turned;
                low += turned;
            }
    }

    long n_;
    Field root_, line_;
};

// This rank's planes of the box: [plane][row][column], or, transposed, [column][row][plane].
struct Box {
    long n, first, planes;
    int ranks;
    std::size_t size() const { return static_cast<std::size_t>(planes * n * n); }
};

void transform_planes(const Box &box, Transform &transform, Field &field, bool inverse) {
    for (long plane = 0; plane < box.planes; ++plane) {
        Complex *at = field.data() + plane * box.n * box.n;
        for (long row = 0; row < box.n; ++row)
            transform.apply(at + row * box.n, 1, inverse);
        for (long column = 0; column < box.n; ++column)
            transform.apply(at + column, box.n, inverse);
    }
}

void transform_across(const Box &box, Transform &transform, Field &field, bool inverse) {
    for (long line = 0; line < box.planes * box.n; ++line)
        transform.apply(field.data() + line * box.n, 1, inverse);
}

// Swaps planes and columns: the same both ways.
void transpose(const Box &box, Field &field, Field &scratch) {
    const long block = box.planes * box.planes * box.n; // numbers for each rank
    for (long plane = 0; plane < box.planes; ++plane)
        for (long row = 0; row < box.n; ++row)
            for (long column = 0; column < box.n; ++column) {
                const long to = column / box.planes, inside = column % box.planes;
                scratch[static_cast<std::size_t>(to * block + (inside * box.n + row) * box.planes +
                                                 plane)] =
                    field[static_cast<std::size_t>((plane * box.n + row) * box.n + column)];
            }
    Field received(box.size());
    MPI_Alltoall(scratch.data(), static_cast<int>(2 * block), MPI_DOUBLE, received.data(),
                 static_cast<int>(2 * block), MPI_DOUBLE, MPI_COMM_WORLD);
    for (long from = 0; from < box.ranks; ++from)
        for (long line = 0; line < box.planes * box.n; ++line)
            for (long plane = 0; plane < box.planes; ++plane)
                field[static_cast<std::size_t>(line * box.n + from * box.planes + plane)] =
                    received[static_cast<std::size_t>(from * block + line * box.planes + plane)];
}

Field random_field(const Box &box) {
    std::uint64_t state =
        random_skip(314159265u, static_cast<std::uint64_t>(box.first * box.n * box.n));
    Field field(box.size());
    for (Complex &value : field)
        value = random_next(&state);
    return field;
}

// Transposed spectrum: high frequencies fade fast.
void damp(const Box &box, Field &spectrum) {
    const auto square = [&](long i) { // of the frequency
        const long frequency = i < box.n / 2 ? i : i - box.n;
        return static_cast<double>(frequency * frequency);
    };
    std::size_t at = 0;
    for (long column = 0; column < box.planes; ++column)
        for (long row = 0; row < box.n; ++row)
            for (long plane = 0; plane < box.n; ++plane)
                spectrum[at++] *=
                    std::exp(-1e-3 * (square(box.first + column) + square(row) + square(plane)));
}

double sum(const Box &box, const Field &field) {
    const auto cells = static_cast<double>(box.n * box.n * box.n); // undoes the missing scale
    double mine = 0, all = 0;
    long at = box.first * box.n * box.n;
    for (const Complex &value : field)
        mine += rounded(value.real() / cells) * static_cast<double>(1 + at++ % 7);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

double heat(const Box &box, long steps) {
    Transform transform(box.n);
    Field spectrum = random_field(box), field, scratch(box.size());
    transform_planes(box, transform, spectrum, false);
    transpose(box, spectrum, scratch);
    transform_across(box, transform, spectrum, false);
    double checksum = 0;
    for (long step = 0; step < steps; ++step) {
        damp(box, spectrum);
        field = spectrum;
        transform_across(box, transform, field, true);
        transpose(box, field, scratch);
        transform_planes(box, transform, field, true);
        checksum += sum(box, field);
    }
    return checksum;
}

} // namespace

int main(int argc, char **argv) {
    argument arguments[] = {{"log2-n", 1, 9, 0}, {"steps", 1, 100000000, 0}};
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    Box box{1L << arguments[0].value, 0, 0, 0};
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &box.ranks);
    if (box.n % box.ranks != 0) {
        if (rank == 0)
            std::fprintf(stderr, "fourier: %d ranks do not divide n = %ld\n", box.ranks, box.n);
        MPI_Finalize();
        return 2;
    }
    block_of(box.n, box.ranks, rank, &box.first, &box.planes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const double checksum = heat(box, arguments[1].value);
    report("fourier", checksum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}

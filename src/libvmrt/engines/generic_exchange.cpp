// SPDX-License-Identifier: GPL-2.0-or-later
//
// MPI_Sendrecv and MPI_Sendrecv_replace, whose nonblocking twins only MPI 4 has.
#include "libvmrt/engines/generic.hpp"

#include <cstdlib>
#include <cstring>

using namespace vmall::runtime;

namespace {

// Where the elements of a buffer lie, from the address that MPI is told.
struct Stretch {
    std::ptrdiff_t first = 0;
    std::size_t bytes = 0;
};

bool measure(Word type, std::ptrdiff_t count, Stretch &stretch) {
    std::ptrdiff_t lower, extent, first, bytes;
    if (count <= 0)
        return true;
    if (VMALL_LIBRARYS(Type_get_extent)(type, word(&lower), word(&extent)) != 0 ||
        VMALL_LIBRARYS(Type_get_true_extent)(type, word(&first), word(&bytes)) != 0 || extent < 0)
        return false;
    stretch = {first, static_cast<std::size_t>((count - 1) * extent + bytes)};
    return true;
}

// What is sent while the buffer that it came from is received into.
class Copy {
  public:
    Copy(Word buffer, const Stretch &stretch)
        : memory_(std::malloc(stretch.bytes + 1)), first_(stretch.first) {
        if (memory_ != nullptr)
            std::memcpy(memory_, reinterpret_cast<char *>(buffer) + stretch.first, stretch.bytes);
    }
    Copy(const Copy &) = delete;
    Copy &operator=(const Copy &) = delete;
    ~Copy() { std::free(memory_); }

    bool is_there() const { return memory_ != nullptr; }
    Word buffer() const { return word(memory_) - static_cast<Word>(first_); }

  private:
    void *memory_;
    std::ptrdiff_t first_;
};

// Both are under way before either is waited for.
template <typename Receive, typename Send>
int exchange(Receive receive, Send send, Word status) {
    Request receiving = 0, sending = 0;
    if (const int error = receive(word(&receiving)); error != 0)
        return error;
    const int error = send(word(&sending));
    const int received = error != 0 ? error : complete(0, receiving, status);
    const int sent = error != 0 ? error : complete(0, sending);
    return received != 0 ? received : sent;
}

} // namespace

VMALL_MPI_CALL(12, Sendrecv) {
    if (!generic_is_in_charge())
        return VMALL_LIBRARYS(Sendrecv)(VMALL_NAMES_12);
    return exchange([=](Word request) { return VMALL_LIBRARYS(Irecv)(f, g, h, i, j, k, request); },
                    [=](Word request) { return VMALL_LIBRARYS(Isend)(a, b, c, d, e, k, request); },
                    l);
}

// An int, as the count is, fills only half of its word.
VMALL_MPI_CALL(9, Sendrecv_replace) {
    Stretch stretch;
    if (!generic_is_in_charge() || !measure(c, static_cast<int>(b), stretch))
        return VMALL_LIBRARYS(Sendrecv_replace)(VMALL_NAMES_9);
    const Copy copy(a, stretch);
    if (!copy.is_there())
        return VMALL_LIBRARYS(Sendrecv_replace)(VMALL_NAMES_9);
    const Word sent = copy.buffer();
    return exchange(
        [=](Word request) { return VMALL_LIBRARYS(Irecv)(a, b, c, f, g, h, request); },
        [=](Word request) { return VMALL_LIBRARYS(Isend)(sent, b, c, d, e, h, request); }, i);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiting for requests and messages by their tests, and the program's own tests.
#include "libvmrt/engines/generic.hpp"

using namespace vmall::runtime;

#define VMALL_WAIT(count, name, ...)                                                               \
    VMALL_MPI_CALL(count, name) {                                                                  \
        if (!generic_is_in_charge())                                                               \
            return VMALL_LIBRARYS(name)(VMALL_NAMES_##count);                                      \
        return wait_by([=](int *flag) { return __VA_ARGS__; });                                    \
    }

VMALL_WAIT(2, Wait, VMALL_LIBRARYS(Test)(a, word(flag), b))
VMALL_WAIT(3, Waitall, VMALL_LIBRARYS(Testall)(a, b, word(flag), c))
VMALL_WAIT(4, Waitany, VMALL_LIBRARYS(Testany)(a, b, c, word(flag), d))
VMALL_WAIT(4, Probe, VMALL_LIBRARYS(Iprobe)(a, b, c, word(flag), d))
VMALL_WAIT(5, Mprobe, VMALL_LIBRARYS(Improbe)(a, b, c, word(flag), d, e))
VMALL_WAIT(1, Win_wait, VMALL_LIBRARYS(Win_test)(a, word(flag)))

namespace {

// Their flag is the number of those that are complete; negative if none is active.
int test_some(int *flag, Word count, Word requests, Word complete, Word indices, Word statuses) {
    const int error = VMALL_LIBRARYS(Testsome)(count, requests, complete, indices, statuses);
    *flag = *reinterpret_cast<const int *>(complete);
    return error;
}

} // namespace

VMALL_WAIT(5, Waitsome, test_some(flag, a, b, c, d, e))

#define VMALL_TEST(count, name, flag)                                                              \
    VMALL_MPI_CALL(count, name) {                                                                  \
        const int error = VMALL_LIBRARYS(name)(VMALL_NAMES_##count);                               \
        return generic_is_in_charge() ? note_poll(error, flag) : error;                            \
    }

VMALL_TEST(3, Test, b)
VMALL_TEST(4, Testall, c)
VMALL_TEST(5, Testany, d)
VMALL_TEST(5, Testsome, c)
VMALL_TEST(5, Iprobe, d)
VMALL_TEST(6, Improbe, d)
VMALL_TEST(3, Request_get_status, b)
VMALL_TEST(2, Win_test, b)

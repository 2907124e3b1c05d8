// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recognises a library by symbols that only it has, and by what MPI_Get_library_version says.
#include "libvmrt/engines/mpi_library.hpp"

#include "libvmrt/next_symbol.hpp"

#include <cstring>
#include <dlfcn.h>

namespace vmall::runtime {
namespace {

// MPI_COMM_WORLD of those that share MPICH's ABI, and of MPI 5's common one.
constexpr Word mpich_world = 0x44000000, common_world = 0x101;

constexpr const char *mpich_family[] = {"MPICH", "MVAPICH", "Intel(R) MPI Library"};

constexpr std::size_t longest_version = 8192; // of all known libraries

bool has(const char *text, const char *part) {
    return std::strstr(text, part) != nullptr;
}

// MPICH 5 has the call in its own ABI, too, and says then that it is not the common one.
bool has_common_abi() {
    using Function = int(int *, int *);
    auto *get_version =
        reinterpret_cast<Function *>(find_next("PMPI_Abi_get_version", any_library));
    int major = -1, minor = -1;
    return get_version != nullptr && get_version(&major, &minor) == 0 && major >= 1;
}

// A program may have a copy of it, which the library then uses, too.
void *find_object(const char *name) {
    void *first = dlsym(RTLD_DEFAULT, name);
    return first != nullptr ? first : find_next(name, any_library);
}

// Of the devices of MPICH. Others do not say on what they are built.
bool polls_ucx(const char *version) {
    return has(version, ":ucx");
}

} // namespace

MpiLibrary recognise_mpich_family(const char *version) {
    for (const char *name : mpich_family)
        if (has(version, name))
            return {true, polls_ucx(version), mpich_world};
    return {false, false, 0};
}

MpiLibrary recognise_mpi_library() {
    static char version[longest_version + 1];
    using Function = int(char *, int *);
    auto *get_version =
        reinterpret_cast<Function *>(find_next("PMPI_Get_library_version", any_library));
    int length = 0;
    if (get_version == nullptr || get_version(version, &length) != 0)
        return {false, false, 0};
    const bool hooked = polls_ucx(version) || find_next("opal_progress", any_library) != nullptr;
    if (has_common_abi())
        return {true, hooked, common_world};
    if (void *world = find_object("ompi_mpi_comm_world"))
        return {true, hooked, reinterpret_cast<Word>(world)};
    return recognise_mpich_family(version);
}

} // namespace vmall::runtime

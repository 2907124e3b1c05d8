// SPDX-License-Identifier: GPL-2.0-or-later
//
// dlsym and dlopen.
#include "libvmrt/next_symbol.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

namespace vmall::runtime {
namespace {

void *find_in(const char *library, const char *name) {
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return loaded == nullptr ? nullptr : dlsym(loaded, name);
}

bool is_ours(void *symbol) {
    Dl_info theirs, ours;
    return dladdr(symbol, &theirs) != 0 && dladdr(reinterpret_cast<void *>(&find_in), &ours) != 0 &&
           theirs.dli_fbase == ours.dli_fbase;
}

void *find_anywhere(const char *name) {
    link_map *object = nullptr;
    if (void *program = dlopen(nullptr, RTLD_LAZY); dlinfo(program, RTLD_DI_LINKMAP, &object) != 0)
        return nullptr;
    for (; object != nullptr; object = object->l_next) {
        void *symbol = object->l_name[0] == 0 ? nullptr : find_in(object->l_name, name);
        if (symbol != nullptr && !is_ours(symbol))
            return symbol;
    }
    return nullptr;
}

} // namespace

void *find_next(const char *name, const char *library) {
    if (void *symbol = dlsym(RTLD_NEXT, name))
        return symbol;
    return library == any_library ? find_anywhere(name) : find_in(library, name);
}

void *need_next(const char *name, const char *library) {
    if (void *symbol = find_next(name, library))
        return symbol;
    std::fprintf(stderr, "libvmrt: the program calls %s, but no %s is loaded\n", name,
                 library == any_library ? "MPI library" : library);
    std::abort();
}

} // namespace vmall::runtime

// SPDX-License-Identifier: GPL-2.0-or-later
//
// dlsym and dlopen.
#include "libvmrt/engines/next_symbol.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace vmall::runtime {

void *find_next(const char *name, const char *library) {
    if (void *symbol = dlsym(RTLD_NEXT, name))
        return symbol;
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return loaded == nullptr ? nullptr : dlsym(loaded, name);
}

void *need_next(const char *name, const char *library) {
    if (void *symbol = find_next(name, library))
        return symbol;
    std::fprintf(stderr, "libvmrt: the program calls %s, but no %s is loaded\n", name, library);
    std::abort();
}

} // namespace vmall::runtime

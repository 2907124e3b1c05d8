// SPDX-License-Identifier: GPL-2.0-or-later
//
// The functions that the wrappers of this library stand in front of.
#pragma once

namespace vmall::runtime {

// What `name` would be without this library: the next definition in the order of the loader (other
// preloaded tools come first), else that of `library`, or of one that it is linked against, where a
// program loaded it at run time and kept it out of the global scope, as Python does. Null if there
// is none.
void *find_next(const char *name, const char *library);

// As `library`: of whichever is loaded, for names that only an MPI library has.
inline constexpr const char *any_library = nullptr;

// The same, but the program cannot go on without it: it called `name`.
void *need_next(const char *name, const char *library);

// Calls what need_next() finds, which is looked up once. In static storage.
template <typename Function>
class Next;

template <typename Result, typename... Arguments>
class Next<Result(Arguments...)> {
  public:
    constexpr Next(const char *name, const char *library) : name_(name), library_(library) {}

    Result operator()(Arguments... arguments) { return function()(arguments...); }

  private:
    using Function = Result(Arguments...);

    Function *function() {
        Function *found = __atomic_load_n(&function_, __ATOMIC_RELAXED);
        if (__builtin_expect(found == nullptr, false)) {
            found = reinterpret_cast<Function *>(need_next(name_, library_));
            __atomic_store_n(&function_, found, __ATOMIC_RELAXED);
        }
        return found;
    }

    const char *name_, *library_;
    Function *function_ = nullptr;
};

} // namespace vmall::runtime

// Marks a wrapper: everything else of this library is hidden.
#define VMALL_INTERPOSED extern "C" __attribute__((visibility("default")))

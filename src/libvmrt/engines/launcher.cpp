// SPDX-License-Identifier: GPL-2.0-or-later
//
// Open MPI's launchers (mpirun, orted, prterun) inherit the preload of the script that calls them.
// They bind each rank to cores of its own, and end where a folded job has fewer: what says how to
// bind, on the command line, in the environment or in a file, goes through one function of theirs.
#include "libvmrt/debug.hpp"
#include "libvmrt/job_allotment.hpp"
#include "libvmrt/next_symbol.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vmall::runtime {
namespace {

using SetPolicy = int(void *, char *);
Next<SetPolicy> next_of_open_mpi_4("opal_hwloc_base_set_binding_policy", "libopen-pal.so.40");
Next<SetPolicy> next_of_open_mpi_5("prte_hwloc_base_set_binding_policy", "libprrte.so.3");

char unbound[] = "none";

bool is_folded() {
    ControlContent content;
    return read_allotment(content) && content.mpl > 1;
}

bool is_mpi_program() {
    return find_next("ompi_mpi_init", "libmpi.so.40") != nullptr;
}

// Ranks read it again, and so do the daemons of other nodes.
bool is_started_by_a_launcher() {
    return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr ||
           std::strcmp(program_invocation_short_name, "orted") == 0 ||
           std::strcmp(program_invocation_short_name, "prted") == 0;
}

// Whether what the policy says cannot be. Without any, launchers bind by a default.
bool is_contradicted(const char *policy) {
    if (policy == nullptr)
        return !is_mpi_program() && is_folded();
    return std::strncmp(policy, unbound, std::strlen(unbound)) != 0 && is_folded();
}

// Once: what the command line says is asked for more than once.
void tell_of(const char *policy) {
    static bool told = false;
    if (told || is_started_by_a_launcher())
        return;
    told = true;
    char line[128];
    std::snprintf(line, sizeof line,
                  "the job is folded: its ranks share cores, whatever --bind-to %.40s says",
                  policy);
    say(line);
}

} // namespace
} // namespace vmall::runtime

using namespace vmall::runtime;

// Ranks that want several cores each (--map-by slot:PE=2) get none where there are too few,
// whatever may be overloaded.
VMALL_INTERPOSED int opal_hwloc_base_set_binding_policy(void *result, char *policy) {
    if (!is_contradicted(policy))
        return next_of_open_mpi_4(result, policy);
    if (policy != nullptr)
        tell_of(policy);
    return next_of_open_mpi_4(result, unbound);
}

// Here those must be bound.
VMALL_INTERPOSED int prte_hwloc_base_set_binding_policy(void *job, char *policy) {
    if (!is_contradicted(policy))
        return next_of_open_mpi_5(job, policy);
    if (policy != nullptr)
        tell_of(policy);
    char overloading[128];
    std::snprintf(overloading, sizeof overloading, "%.100s:overload-allowed",
                  policy != nullptr ? policy : "core");
    return next_of_open_mpi_5(job, overloading);
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// select/vmall: select/cons_tres_vmall by the name that it had first, for sites that have it in
// slurm.conf and in their saved state.
#include "slurmglue/select_decorator.h"

#include <slurm/slurm.h>

#include <cstdint>

#define EXPORT __attribute__((visibility("default")))

extern "C" {
EXPORT extern const char plugin_name[] = "select/cons_tres with virtually malleable jobs";
EXPORT extern const char plugin_type[] = "select/vmall";
EXPORT extern const std::uint32_t plugin_version = SLURM_VERSION_NUMBER;
EXPORT extern const std::uint32_t plugin_id = vmall_select_number(156);
}

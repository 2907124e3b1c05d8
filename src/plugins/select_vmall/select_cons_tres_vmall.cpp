// SPDX-License-Identifier: GPL-2.0-or-later
//
// select/cons_tres_vmall: Slurm's select/cons_tres with a gate before it. The interface itself,
// forwarded call by call, is slurmglue/select_decorator.c; the gate is gate.cpp. Slurm asks in many
// places whether the name has "cons_tres" in it: for dynamic nodes, for what holds where slurm.conf
// says nothing.
#include "plugins/select_vmall/gate.hpp"
#include "slurmglue/select_decorator.h"

#include <slurm/slurm.h>

#include <cstdint>

#define EXPORT __attribute__((visibility("default")))

extern "C" {
EXPORT extern const char plugin_name[] = "select/cons_tres with virtually malleable jobs";
EXPORT extern const char plugin_type[] = VMALL_SELECT_TYPE;
EXPORT extern const std::uint32_t plugin_version = SLURM_VERSION_NUMBER;
EXPORT extern const std::uint32_t plugin_id = vmall_select_number(110);
}

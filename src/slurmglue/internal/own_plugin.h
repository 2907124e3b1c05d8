/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin that this is linked into.
 */
#ifndef VMALL_GLUE_OWN_PLUGIN_H
#define VMALL_GLUE_OWN_PLUGIN_H

/* As slurm.conf names it; defined by the plugin, for Slurm. */
extern const char plugin_type[];

#endif

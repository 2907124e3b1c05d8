/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QOS are slurmdbd's to rename: the lock under which jobs are filled in and visited. Whoever takes
 * it has none of Slurm's locks on associations.
 */
#ifndef VMALL_GLUE_QOS_NAMES_H
#define VMALL_GLUE_QOS_NAMES_H

void vmall_lock_qos_names(void);
void vmall_unlock_qos_names(void);

#endif

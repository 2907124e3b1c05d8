/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Beside whom a job may be that lends cores of its whole nodes, and is lent some.
 */
#ifndef VMALL_GLUE_COMPANY_H
#define VMALL_GLUE_COMPANY_H

/* Who has been started so, too, and has this in common with it. */
enum vmall_company {
    VMALL_NO_COMPANY,
    VMALL_SAME_USER,
    VMALL_SAME_ACCOUNT,
    VMALL_SAME_PARTITION,
    VMALL_ANY_COMPANY
};

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld's locks as scopes. Nothing in them may wait for the network or a file.
#pragma once

#include "slurmglue/controller.h"

namespace vmall::sched {

struct LockToRead {
    LockToRead() { vmall_lock_to_read(); }
    ~LockToRead() { vmall_unlock_to_read(); }
    LockToRead(const LockToRead &) = delete;
    LockToRead &operator=(const LockToRead &) = delete;
};

struct LockToLook {
    LockToLook() { vmall_lock_to_look(); }
    ~LockToLook() { vmall_unlock_to_look(); }
    LockToLook(const LockToLook &) = delete;
    LockToLook &operator=(const LockToLook &) = delete;
};

struct LockToAct {
    LockToAct() { vmall_lock_to_act(); }
    ~LockToAct() { vmall_unlock_to_act(); }
    LockToAct(const LockToAct &) = delete;
    LockToAct &operator=(const LockToAct &) = delete;
};

} // namespace vmall::sched

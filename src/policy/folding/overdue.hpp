// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs that are folded deeper than they may be: a reservation was made on their nodes since, say,
// or a deadline moved.
#pragma once

#include "policy/pass.hpp"

namespace vmall::policy {

// Unfolds those that can be resized to their highest MPL, or as near to it as cores are free, the
// one that is folded deepest beyond it first (of equals, the one that arrived first). What is free
// on its nodes of the cores that it still lacks is nobody's in this pass.
void unfold_overdue(Pass &pass);

} // namespace vmall::policy

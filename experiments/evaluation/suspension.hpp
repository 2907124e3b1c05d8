// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether Slurm has this process suspended, as gang scheduling does with a job whose turn is over.
#pragma once

namespace vmall::evaluation {

// From now on suspended_by_slurm() is kept up to date. Slurm sends SIGTSTP, which stops a program
// at once that does not handle it, as those of MPI do not, two seconds later SIGSTOP, and SIGCONT
// in the end. Whoever handles SIGTSTP has two seconds to say so, and must not go on meanwhile.
// Throws std::system_error if the signals cannot be handled.
void watch_suspensions();

// A change ends whatever sleep the process is in.
bool suspended_by_slurm();

} // namespace vmall::evaluation

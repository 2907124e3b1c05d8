// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parameter files of the queueing system of Utrera's thesis (s. 3.2.1, figures 3.2 to 3.5).
#pragma once

#include "sim/model/job.hpp"
#include "sim/trace/application.hpp"
#include "sim/trace/read_log.hpp"

#include <string>
#include <vector>

namespace vmall::sim {

// Reads four files of a folder. Their names are ours, the thesis gives none; empty lines are not
// counted.
//
//   applications   a command on each line: mpirun -np N $HOME/bin/cg.B.N
//   processes      for each of them, in the same order, up to seven numbers of processes that it
//                  accepts; -1 in all places but the first: any number up to the first
//   types          for each of them 1 (long) or 2 (short)
//   trace          lines of the Standard Workload Format; field 2 is the arrival in seconds, field
//                  14 the place of the application in the other files, from 0 on. Job numbers begin
//                  at 0. Field 9, requested time, becomes the estimate; there need be none.
//
// The files do not say how long an application runs: that comes from the table of applications. The
// name there is that of the program, the last word of the command that is no option and no
// redirection, without its folder and without .N at the end; letters in any case.
//
// All jobs are virtually malleable and accept the sizes of the file. A job's id is its number plus
// one. Throws TraceError as the other readers do; the first three files are not read leniently.
Workload read_launcher(const std::string &folder, const std::vector<Application> &applications,
                       ReadLog &log);

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads of real sites, as Slurm's accounting prints them: sacct --parsable2 with a header line.
#pragma once

#include "sim/trace/log_file.hpp"
#include "sim/trace/read_log.hpp"
#include "sim/trace/treatment.hpp"

#include <string>
#include <string_view>

namespace vmall::sim {

// How to get a file that read_sacct() makes the most of, for messages and manuals.
extern const char *const sacct_command;

// Whether a file that begins with this line is for read_sacct().
bool is_sacct_header(std::string_view line);

// Whether it names the columns without which there is no dump, as no line of a job does.
bool names_sacct_jobs(std::string_view line);

// Reads a dump, plain or compressed with gzip. Columns are found by name, in any order and case:
//
//   JobIDRaw or JobID   without JobIDRaw jobs are numbered by arrival
//   Submit              seconds since 1970, or YYYY-MM-DDTHH:MM:SS with or without +HHMM. All
//                       times of a file must be of one kind. Without a zone, times on both sides
//                       of a change to or from daylight saving time are an hour off; jobs that
//                       therefore seem to start or end too early are left out and counted.
//   State
//   ElapsedRaw, Elapsed, or Start and End
//   AllocCPUS, NCPUS or ReqCPUS (the first that there is and is not 0)
//   Eligible            optional; see Treatment::arrival
//   Start               optional; when it was started there
//   TimelimitRaw or Timelimit, User, Account, Partition   optional
//   AdminComment        optional; sched/fjt notes there how much of its time a job made use of
//   ReqMem              optional; until Slurm 21.08 with NNodes
//   MaxRSS with NTasks  optional, of lines of steps (123.batch, 123.0): what of memory was used
//
// Other columns are ignored, and so is all else of lines of steps. Every element of a job
// array and every component of a heterogeneous job is a job. A job has one process per CPU.
//
// Several records of one job (sacct --duplicates) are one job:
//   - resized (state RESIZING, followed by a record from then on): its work is that of all its
//     sizes, its run time is what this takes, linearly, with the CPUs of the first;
//   - requeued: it arrives when it was first submitted and runs as in its last record;
//   - in several dumps, one behind the other with the same columns: the one that knows more counts.
// Slurm keeps one record of all sizes that a job has within the second of its submission, or of a
// resize. What lies outside of the time that sacct was asked for is missing, and what
// sacct --truncate cuts off cannot be seen.
//
// Left out and counted: jobs that had not started or not ended when the dump was made or were
// cancelled before they started, and those of a federation that ran elsewhere. Second 0 of the
// workload is the first arrival.
//
// Throws TraceError if the file cannot be read, lacks a column, or has a bad line (unless the log
// of the reader is lenient), NoJobs if there is no job in it that ran.
Workload read_sacct(const LogFile &file, const Treatment &treatment, ReadLog &log);

} // namespace vmall::sim

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads in the Standard Workload Format, version 2.2
// (https://www.cs.huji.ac.il/labs/parallel/workload/swf.html).
//
// What the format has no field for stands in header comments, which other programs pass over:
//
//   ; Queue: 1 short                    the class of the jobs whose queue number is 1
//   ; Queue: 2 long
//   ; Note: vmsim executable 3: virtually-malleable sizes=pow2 speedup=times:1=4385,8=475
//           cores-per-process=1 application=CG.B                               (on the same line)
//
// where `virtually-malleable` may be `rigid` or `malleable` (Job::malleable), sizes is a SizeRule
// for the job's number of processes, and speedup a SpeedupSpec.
#pragma once

#include "sim/trace/log_file.hpp"
#include "sim/trace/read_log.hpp"
#include "sim/trace/treatment.hpp"

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace vmall::sim {

struct SwfHeader {
    int max_processors = 0; // MaxProcs; 0: not given
    int max_nodes = 0;
    std::int64_t unix_start_time = 0;      // of second 0; 0: not given
    std::map<int, std::string> queues;     // only read; written are short and long
    std::map<int, std::string> partitions; // only read
    std::map<int, Executable> executables;
    std::vector<std::string> notes; // only written
};

// Takes what it knows from a comment line (with its semicolon), passes over the rest. Throws
// BadLine.
void parse_swf_comment(std::string_view line, SwfHeader &header);

// Reads a log, plain or compressed with gzip. Jobs are sorted by submission, then number. Which
// queue or partition (by name where the header has one, otherwise the number) counts as the
// partition of a treatment: the partition if the line has one, else the queue. Left out and
// counted: lines of parts of checkpointed jobs (status 2 to 4; the job has a line as a whole), jobs
// that were cancelled before they ran, and jobs whose run time or processors are not known.
//
// Throws TraceError if the file cannot be read or has a bad line (unless the log of the reader is
// lenient), NoJobs if there is no job in it.
Workload read_swf(const LogFile &file, const Treatment &treatment, ReadLog &log);

// Writes jobs as they come, so that a workload need not be in memory.
class SwfWriter {
  public:
    // Jobs find their executable by application and kind (virtually malleable, malleable,
    // cores per process). Writes the header.
    SwfWriter(std::ostream &out, SwfHeader header);

    // In the order of submission. Users become numbers, by first appearance; names are not
    // written. The estimate becomes the requested time. A stream that fails is the caller's to
    // check.
    void write(const Job &job);

  private:
    using Kind = std::tuple<std::string, bool, bool, int>;
    int executable_of(const Job &job) const;
    int user_of(const Job &job);

    std::ostream &out_;
    std::map<Kind, int> executables_;
    std::map<std::string, int> users_;
};

} // namespace vmall::sim

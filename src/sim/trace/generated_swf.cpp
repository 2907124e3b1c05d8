// SPDX-License-Identifier: GPL-2.0-or-later
//
// Generated workloads as files.
#include "sim/trace/generated_swf.hpp"

#include "sim/trace/swf.hpp"

namespace vmall::sim {

namespace {

Executable executable_of(const Application &application, bool virtually_malleable) {
    Executable executable;
    executable.application = application.name;
    executable.virtually_malleable = virtually_malleable;
    if (virtually_malleable)
        executable.sizes = application.sizes;
    executable.speedup = {times_text(application.times), application.speedup};
    return executable;
}

SwfHeader header_of(const GeneratorSpec &spec, const std::string &source) {
    SwfHeader header;
    header.max_processors = spec.processors;
    header.notes = {source};
    int number = 0;
    for (const bool virtually_malleable : {true, false})
        for (const ApplicationLoad &share : spec.applications)
            if (spec.virtually_malleable != (virtually_malleable ? 0 : 1))
                header.executables[++number] =
                    executable_of(share.application, virtually_malleable);
    return header;
}

} // namespace

void write_generated_swf(std::ostream &out, const GeneratorSpec &spec, std::uint64_t seed) {
    Generator generator(spec, seed);
    SwfWriter writer(out, header_of(spec, generator.source()));
    while (const auto job = generator.next())
        writer.write(*job);
}

void write_generated_swf(std::ostream &out, const GeneratorSpec &spec, const Workload &workload) {
    SwfWriter writer(out, header_of(spec, workload.source));
    for (const Job &job : workload.jobs)
        writer.write(job);
}

} // namespace vmall::sim

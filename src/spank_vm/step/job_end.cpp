// SPDX-License-Identifier: GPL-2.0-or-later
//
// The end of a job on this node.
#include "spank_vm/step/job_end.hpp"

#include "spank_vm/node/local_messages.hpp"
#include "spank_vm/node/local_socket.hpp"
#include "spank_vm/node/runtime_dir.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <string>
#include <system_error>

namespace vmall::spank_vm {

void forget_job(const StepSettings &settings, std::uint32_t job_id) {
    std::string answer;
    try {
        answer = ask(settings.runtime_dir + "/" + agent_socket_name, encode(Forget{job_id}));
    } catch (const std::system_error &error) {
        slurm_verbose("the node agent does not hear of the end of job %u: %s", job_id,
                      error.what());
        RuntimeDir(settings.runtime_dir).remove_job(job_id);
        return;
    }
    expect_done(answer);
}

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
//
// scontrol can only replace the whole comment, so one that is there is left alone.
#include "spank_vm/agent/admin_comment.hpp"

#include <sstream>
#include <stdexcept>

namespace vmall::agent {

namespace {

constexpr const char *no_comment = "(null)"; // as squeue writes it

// As scontrol takes it: one task of an array, not all of them. Empty: it does not run any more, or
// has a comment.
std::string name_without_comment(const std::string &answer, std::uint32_t job_id) {
    std::istringstream words(told_of(answer, job_id).value_or(""));
    std::string name, comment;
    return words >> name && (!(words >> comment) || comment == no_comment) ? name : "";
}

} // namespace

void note_in_admin_comment(std::uint32_t job_id, const std::string &note, const RunSlurm &run) {
    const std::string name = name_without_comment(
        run("squeue", {"-h", "-a", "--local", "-t", "RUNNING", "-j", std::to_string(job_id), "-O",
                       "JobID:16,JobArrayID:64,admin_comment:16"})
            .text,
        job_id);
    if (name.empty())
        return;
    const Said said = run("scontrol", {"update", "JobId=" + name, "AdminComment=" + note});
    if (said.status != 0)
        throw std::runtime_error(said.text.substr(0, said.text.find('\n')));
}

} // namespace vmall::agent

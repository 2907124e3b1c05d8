// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's settings, in a file of slurmd's spool directory.
#include "spank_vm/node/step_settings.hpp"

#include "common/files.hpp"
#include "spank_vm/node/slurmd_identity.hpp"
#include "wire/fields.hpp"

#include <cerrno>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

constexpr const char *file_name = "vmall_agent";
constexpr std::size_t highest_file_bytes = 64 * 1024;

common::Descriptor open_directory(const std::string &path) {
    common::Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory)
        throw std::system_error(errno, std::generic_category(), "cannot open " + path);
    return directory;
}

bool is_saved(const common::Descriptor &directory, const std::string &content) {
    try {
        return common::read_own_file(directory, file_name, highest_file_bytes) == content;
    } catch (const std::exception &) {
        return false;
    }
}

} // namespace

// What is there stays: a disk without room is then no reason not to start.
void save_step_settings(const std::string &spool_dir, const StepSettings &settings) {
    const common::Descriptor directory = open_directory(spool_dir);
    const std::string content =
        wire::wrap("agent", {{"runtime_dir", settings.runtime_dir},
                             {"vmrt_library", settings.vmrt_library},
                             {"wants_bystanders", settings.wants_bystanders},
                             {"notes_end", settings.notes_end}});
    if (!is_saved(directory, content))
        common::replace_file(directory, file_name, content);
}

std::optional<StepSettings> load_step_settings() {
    const StepIdentity identity = identity_of_step();
    const common::Descriptor directory = open_directory(identity.spool_dir);
    if (faccessat(directory.get(), file_name, F_OK, 0) != 0 && errno == ENOENT)
        return std::nullopt;
    const wire::Json saved =
        wire::parse_message(common::read_own_file(directory, file_name, highest_file_bytes));
    const wire::Fields agent(wire::unwrap(saved, "agent"), file_name);
    return StepSettings{identity.node_name, agent.text("runtime_dir"), agent.text("vmrt_library"),
                        agent.has("wants_bystanders") && agent.flag("wants_bystanders"),
                        agent.has("notes_end") && agent.flag("notes_end")};
}

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
#include "spank_vm/options/srun_questions.hpp"

#include "spank_vm/options/slurm_release.hpp"

#include <dlfcn.h>
#include <string>

namespace vmall::spank_vm {

namespace {

constexpr const char *file_name = "vmall_srun.so";
const char own_address = 0;

const vmall_srun_questions *load() {
    Dl_info own;
    if (dladdr(&own_address, &own) == 0)
        return nullptr;
    const std::string path = own.dli_fname;
    void *file = dlopen((path.substr(0, path.rfind('/') + 1) + file_name).c_str(), RTLD_LAZY);
    const auto *found =
        file ? static_cast<const vmall_srun_questions *>(dlsym(file, VMALL_SRUN_QUESTIONS))
             : nullptr;
    return found && found->release >> 8 == running_release() >> 8 ? found : nullptr;
}

} // namespace

const vmall_srun_questions *srun_questions() noexcept {
    static const vmall_srun_questions *const found = load();
    return found;
}

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
//
// An argument of each of the --vm-* options that take one: the first byte says of which.
#include "spank_vm/options/options.hpp"

#include "config/job_request.hpp"
#include "spank_stand_in.hpp"
#include "target.hpp"

#include <array>

using vmall::test::slurm;

namespace vmall::fuzz {

namespace {

struct Option {
    const char *name, *sound;
};

constexpr std::array<Option, 4> options = {{{"vm-class", "long"},
                                            {"vm-procs", "1"},
                                            {"vm-estimate", "1"},
                                            {"vm-runtime", "queues=local"}}};

bool type(const char *name, const std::string &argument) {
    const spank_option &option = slurm.options.at(name);
    return option.cb(option.val, argument.c_str(), 0) == ESPANK_SUCCESS;
}

} // namespace

// What a submission accepts, slurmctld does.
void decode(const std::string &input) {
    if (slurm.options.empty())
        spank_vm::register_options(nullptr);
    if (input.empty())
        return;
    slurm.errors.clear();
    for (const Option &option : options)
        expect(type(option.name, option.sound), "what is sound is accepted");
    const Option &chosen = options[static_cast<unsigned char>(input[0]) % options.size()];
    const bool accepted = type(chosen.name, input.substr(1));
    expect(accepted == slurm.errors.empty(), "who is refused is told why");
    expect(spank_vm::publish_options(nullptr) == ESPANK_SUCCESS && spank_vm::vm_asked(),
           "what was accepted is sent");
    std::vector<std::string> sent;
    for (const auto &[name, value] : slurm.job_control)
        sent.push_back(name + "=" + value);
    std::vector<const char *> environment;
    for (const std::string &entry : sent)
        environment.push_back(entry.c_str());
    expect(config::parse_environment(environment.data(), environment.size()).asked,
           "slurmctld accepts what is sent");
    spank_vm::runtime_asked();
}

} // namespace vmall::fuzz

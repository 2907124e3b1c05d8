// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmlab mesh: vmsim run on a mesh, also under McCann's policies.
#include "experiments/mesh/sim/simulate.hpp"
#include "experiments/policy/sizings.hpp"
#include "experiments/vmlab/commands.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/run.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace vmall::vmlab {

namespace {

struct MeshOptions {
    vmsim::RunOptions run;
    std::string mesh;
};

vmsim::Play play(const std::string &name, const policy::mesh::Mesh &mesh) {
    try {
        const sim::mesh::Choice choice = sim::mesh::parse_choice(name);
        return [choice, mesh](const sim::Workload &workload, const sim::Machine &,
                              const sim::Options &options, sim::Progress &progress) {
            return sim::mesh::simulate(workload, mesh, choice, options, progress);
        };
    } catch (const std::invalid_argument &) {
        return {}; // the error that lists all policies says more
    }
}

vmsim::MorePolicies mesh_policies(const policy::mesh::Mesh &mesh) {
    return {
        {{"equi", "McCann's equipartition of a mesh"},
         {"equi+", "the same with rectangles that preserve more efficiency"},
         {"fold-inf", "McCann's Folding of a mesh, which halves the largest rectangle"},
         {"fold-N", "the same, jobs rotate every N seconds; fold-Nj: N for each job that runs"}},
        [mesh](const std::string &name) { return play(name, mesh); },
        policy::papers::policies()};
}

int run_on_mesh(const MeshOptions &options) {
    const policy::mesh::Mesh mesh = sim::mesh::parse_mesh(options.mesh);
    vmsim::RunOptions run = options.run;
    run.cores = mesh.processors();
    run.more_policies = mesh_policies(mesh);
    return vmsim::run(run);
}

std::string list_of_policies() {
    std::string text = "Policies for meshes, which take virtually malleable jobs only; those of "
                       "vmsim see as many cores:";
    for (const auto &policy : mesh_policies(sim::mesh::parse_mesh("1x1")).known) {
        const std::string name = policy.name;
        text += "\n  " + name + std::string(10 - name.size(), ' ') + policy.description;
    }
    return text;
}

} // namespace

void add_mesh(vmsim::Command app, int &exit_status) {
    auto options = std::make_shared<MeshOptions>();
    const auto command = app.add_subcommand("mesh", "Try policies on a machine that is a mesh");
    command.footer(list_of_policies());
    command.add_option("--mesh", options->mesh, "Processors of the machine, powers of two")
        .check(vmsim::parsed_by(sim::mesh::parse_mesh))
        .required()
        .type_name("ROWSxCOLUMNS");
    vmsim::add_run_options(command, options->run);
    command.callback([options, &exit_status] { exit_status = run_on_mesh(*options); });
}

} // namespace vmall::vmlab

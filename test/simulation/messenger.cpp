// SPDX-License-Identifier: GPL-2.0-or-later
//
// The errands of sched/fjt's messenger over the simulated network: no thread, no connection, no
// seal. Linked in place of its threads.
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "network.hpp"

#include <utility>

namespace vmall::simulation {

Network *network = nullptr;

} // namespace vmall::simulation

namespace vmall::sched {

namespace {

simulation::NodeIndex node_at(const std::string &address) {
    return static_cast<simulation::NodeIndex>(std::stoul(address.substr(1)));
}

// As Slurm has it now; none in a roll call, or if it is not there any more.
simulation::Job job_in(const std::string &question) {
    if (wire::decode_roll_call(question))
        return {};
    const simulation::Job *job = simulation::slurm->find(wire::decode_target(question).job_id);
    return job ? *job : simulation::Job();
}

} // namespace

Messenger::Messenger(std::string munge_socket, std::function<void()> arrived)
    : seal_(std::move(munge_socket)), arrived_(std::move(arrived)) {}

Messenger::~Messenger() {
    simulation::network->hang_up();
}

void Messenger::add(std::vector<Errand> errands) {
    for (const Errand &errand : errands)
        simulation::network->ask(node_at(errand.address), errand.question, job_in(errand.question),
                                 errand.timeout, errand.done);
}

} // namespace vmall::sched

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The jobs that run on the nodes of parity_nodes.h, and when each ends. Times are in µs.
#pragma once

#include "parity_nodes.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

class RunningJobs {
  public:
    // NODE:PORT…, up to a null pointer
    explicit RunningJobs(char **begin) {
        nodes_begin();
        for (char **argument = begin; *argument; argument++)
            add(*argument);
    }

    // Answers what slurmctld has sent. Whether there was anything.
    bool answer(int64_t now) {
        int ready = poll(polled_.data(), polled_.size(), 0);
        for (size_t i = 0; ready > 0 && i < polled_.size(); i++)
            if (polled_[i].revents)
                note(node_answer(&listeners_[i]), i, now);
        return ready > 0;
    }

    // INT64_MAX if no job runs.
    int64_t first_end() const { return ends_.empty() ? INT64_MAX : ends_.begin()->first.first; }

    void end_first() {
        auto [when_and_job, node] = *ends_.begin();
        ends_.erase(ends_.begin());
        if (!node_job_ended(listeners_[node].node, when_and_job.second))
            std::cerr << "job " << when_and_job.second << ": slurmctld does not know that it ran\n";
    }

  private:
    void add(char *argument) {
        char *colon = strchr(argument, ':');
        if (!colon)
            throw std::runtime_error(std::string(argument) + ": NODE:PORT expected");
        *colon = '\0';
        node_listener listener = {argument, static_cast<uint16_t>(atoi(colon + 1)), -1};
        if (!node_listen(&listener))
            throw std::system_error(errno, std::generic_category(),
                                    std::string("port of ") + argument);
        listeners_.push_back(listener);
        polled_.push_back({listener.descriptor, POLLIN, 0});
    }

    void note(const node_message &message, size_t node, int64_t now) {
        if (message.request == NODE_LAUNCH)
            ends_[{now + message.seconds * 1000000, message.job}] = node;
        if (message.request == NODE_END)
            forget(message.job);
    }

    void forget(uint32_t job) {
        for (auto end = ends_.begin(); end != ends_.end();)
            end = end->first.second == job ? ends_.erase(end) : std::next(end);
    }

    std::vector<node_listener> listeners_;
    std::vector<pollfd> polled_;
    // (when, job) → the node that runs its script
    std::map<std::pair<int64_t, uint32_t>, size_t> ends_;
};

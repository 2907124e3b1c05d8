// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers as the agents of all nodes that lead to a port, and confirms every target. Root, as they
// are.
#include "unit/wire/agents.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: node-agents PORT MUNGE_SOCKET\n");
        return 2;
    }
    try {
        const Agents agents(argv[2], std::atoi(argv[1]));
        for (;;)
            pause();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "node-agents: %s\n", error.what());
        return 1;
    }
}

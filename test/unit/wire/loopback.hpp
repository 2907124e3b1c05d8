// SPDX-License-Identifier: GPL-2.0-or-later
//
// A listening IPv4 socket at which nobody accepts unless the test does.
#pragma once

#include "common/descriptor.hpp"

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <sys/socket.h>

struct Loopback {
    explicit Loopback(int backlog) : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto *any = reinterpret_cast<sockaddr *>(&address);
        socklen_t size = sizeof address;
        ck_assert_int_eq(bind(socket.get(), any, size), 0);
        ck_assert_int_eq(listen(socket.get(), backlog), 0);
        ck_assert_int_eq(getsockname(socket.get(), any, &size), 0);
        port = ntohs(address.sin_port);
    }

    vmall::common::Descriptor socket;
    int port = 0;
};

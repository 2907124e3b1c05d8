// SPDX-License-Identifier: GPL-2.0-or-later
//
// A frame from anybody who reaches a port. The first byte says in how large pieces it arrives.
#include "wire/frame.hpp"

#include "common/descriptor.hpp"
#include "target.hpp"
#include "wire/channel_error.hpp"

#include <array>
#include <sys/socket.h>
#include <utility>

namespace vmall::fuzz {

namespace {

struct Ends {
    common::Descriptor sender, receiver;
};

Ends connect() {
    std::array<int, 2> ends;
    expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0,
           "there is a connection");
    return {common::Descriptor(ends[0]), common::Descriptor(ends[1])};
}

// What was not received, so that the connection serves for the next input.
std::size_t drain(int fd) {
    std::array<char, 4096> rest;
    std::size_t drained = 0;
    for (ssize_t got; (got = recv(fd, rest.data(), rest.size(), MSG_DONTWAIT)) > 0;)
        drained += static_cast<std::size_t>(got);
    return drained;
}

// Whether all of a frame arrived. `sent` counts the bytes that were put on the way.
bool receive(wire::IncomingFrame &frame, const Ends &ends, const std::string &bytes,
             std::size_t piece, std::size_t &sent) {
    while (sent < bytes.size()) {
        const std::string_view next = std::string_view(bytes).substr(sent, piece);
        expect(send(ends.sender.get(), next.data(), next.size(), MSG_DONTWAIT) ==
                   static_cast<ssize_t>(next.size()),
               "a piece fits into the connection");
        sent += next.size();
        if (frame.receive(ends.receiver.get()))
            return true;
    }
    return false;
}

} // namespace

void decode(const std::string &input) {
    static const Ends ends = connect();
    if (input.empty())
        return;
    const std::string bytes = input.substr(1);
    const std::size_t piece = 1 + static_cast<unsigned char>(input[0]) * 16;
    wire::IncomingFrame incoming;
    bool complete = false;
    std::size_t sent = 0;
    try {
        complete = receive(incoming, ends, bytes, piece, sent);
    } catch (const wire::ChannelError &) {
    }
    const std::size_t received = sent - drain(ends.receiver.get());
    if (!complete)
        return;
    wire::OutgoingFrame outgoing(incoming.content());
    expect(outgoing.send(ends.sender.get()), "a frame that came fits into the connection");
    std::string again(received + 1, '\0');
    const ssize_t size = recv(ends.receiver.get(), again.data(), again.size(), MSG_DONTWAIT);
    expect(size == static_cast<ssize_t>(received) &&
               again.compare(0, received, bytes, 0, received) == 0,
           "a frame is sent as it was received, and nothing beyond it was");
}

} // namespace vmall::fuzz

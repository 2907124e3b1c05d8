// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames on a socket that is never waited for.
#include "wire/frame.hpp"

#include "wire/channel_error.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace vmall::wire {

namespace {

using Header = std::array<std::uint32_t, 2>; // magic and length, network order
constexpr std::uint32_t magic = 0x564d414c;  // "VMAL"

void refuse_too_long(std::size_t size) {
    if (size > highest_frame_bytes)
        throw ChannelError("frame of " + std::to_string(size) + " bytes is too long");
}

// The bytes that a call has moved; nothing if it would have to wait or was interrupted.
std::size_t moved(ssize_t result, const char *action) {
    if (result >= 0)
        return static_cast<std::size_t>(result);
    if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
        throw ChannelError(std::string(action) + ": " + std::strerror(errno));
    return 0;
}

} // namespace

OutgoingFrame::OutgoingFrame(const std::string &content) {
    refuse_too_long(content.size());
    const Header header = {htonl(magic), htonl(static_cast<std::uint32_t>(content.size()))};
    // One buffer and hence, for short frames, one packet.
    bytes_.assign(reinterpret_cast<const char *>(header.data()), sizeof header);
    bytes_ += content;
}

bool OutgoingFrame::send(int fd) {
    std::size_t sent;
    do {
        sent = moved(
            ::send(fd, bytes_.data() + sent_, bytes_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT),
            "cannot send to peer");
        sent_ += sent;
    } while (sent > 0 && sent_ < bytes_.size());
    return sent_ == bytes_.size();
}

bool IncomingFrame::receive(int fd) {
    while (received_ < bytes_.size()) {
        const ssize_t result =
            recv(fd, bytes_.data() + received_, bytes_.size() - received_, MSG_DONTWAIT);
        if (result == 0)
            throw ChannelError("peer has hung up");
        const std::size_t received = moved(result, "cannot receive from peer");
        if (received == 0)
            return false;
        received_ += received;
        if (received_ == header_bytes)
            make_room();
    }
    return true;
}

void IncomingFrame::make_room() {
    Header header;
    std::memcpy(header.data(), bytes_.data(), sizeof header);
    if (ntohl(header[0]) != magic)
        throw ChannelError("peer does not speak our protocol");
    const std::uint32_t size = ntohl(header[1]);
    refuse_too_long(size);
    bytes_.resize(header_bytes + size);
}

std::string IncomingFrame::content() const {
    return bytes_.substr(header_bytes);
}

} // namespace vmall::wire

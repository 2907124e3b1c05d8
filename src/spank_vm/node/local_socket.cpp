// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's UNIX socket, both ends.
#include "spank_vm/node/local_socket.hpp"

#include "common/lacking.hpp"
#include "common/workers.hpp"
#include "spank_vm/node/local_messages.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace vmall::spank_vm {

namespace {

using common::Descriptor;

constexpr int socket_type = SOCK_SEQPACKET | SOCK_CLOEXEC;
constexpr int backlog = 128;
constexpr std::size_t highest_thread_count = 16;
constexpr std::chrono::milliseconds look_interval(50);

[[noreturn]] void fail(const std::string &action) {
    throw std::system_error(errno, std::generic_category(), action);
}

sockaddr_un address_of(const std::string &path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail("socket " + path);
    }
    path.copy(address.sun_path, path.size());
    return address;
}

void set_timeouts(const Descriptor &socket) {
    const timeval timeout = {local_timeout_seconds, 0};
    for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
        if (setsockopt(socket.get(), SOL_SOCKET, option, &timeout, sizeof timeout) != 0)
            fail("cannot set up a socket");
}

// A socket with a timeout says of a peer that is too slow that it would have to wait.
[[noreturn]] void fail_between_peers(const std::string &action) {
    errno = errno == EAGAIN ? ETIMEDOUT : errno;
    fail(action);
}

// Empty if the peer has hung up.
std::string receive_packet(const Descriptor &socket) {
    std::string packet(highest_packet_bytes, '\0');
    const ssize_t size = recv(socket.get(), packet.data(), packet.size(), 0);
    if (size < 0)
        fail_between_peers("cannot receive");
    packet.resize(static_cast<std::size_t>(size));
    return packet;
}

void send_packet(const Descriptor &socket, const std::string &packet) {
    if (send(socket.get(), packet.data(), packet.size(), MSG_NOSIGNAL) < 0)
        fail_between_peers("cannot send");
}

std::optional<pid_t> entitled_peer(const Descriptor &socket) {
    ucred peer = {};
    socklen_t size = sizeof peer;
    if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        fail("cannot tell who connected");
    if (peer.uid != 0 && peer.uid != geteuid())
        return std::nullopt;
    return peer.pid;
}

// A peer that hangs up or says nothing harms only itself.
void answer_peer(const Descriptor &socket, const LocalServer::Handler &handler) {
    try {
        const auto peer = entitled_peer(socket);
        set_timeouts(socket);
        const std::string request = receive_packet(socket);
        send_packet(socket,
                    peer ? handler(request, *peer) : encode_error("only root may ask the agent"));
    } catch (const std::system_error &) {
    }
}

// Before it could be asked, or meanwhile.
bool is_gone(const std::system_error &error) {
    return error.code() == std::errc::no_such_file_or_directory ||
           error.code() == std::errc::connection_refused ||
           error.code() == std::errc::connection_reset || error.code() == std::errc::broken_pipe;
}

} // namespace

std::string ask(const std::string &socket_path, const std::string &request) {
    const sockaddr_un address = address_of(socket_path);
    const Descriptor socket(::socket(AF_UNIX, socket_type, 0));
    if (!socket)
        fail("cannot make a socket");
    set_timeouts(socket);
    if (connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        fail("cannot connect to " + socket_path);
    send_packet(socket, request);
    std::string answer = receive_packet(socket);
    if (answer.empty()) {
        errno = ECONNRESET;
        fail("no answer from " + socket_path);
    }
    return answer;
}

std::string ask_patiently(const std::string &socket_path, const std::string &request,
                          std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        try {
            return ask(socket_path, request);
        } catch (const std::system_error &error) {
            if (!is_gone(error) || std::chrono::steady_clock::now() > deadline)
                throw;
        }
        std::this_thread::sleep_for(look_interval);
    }
}

LocalServer::LocalServer(std::string socket_path)
    : path_(std::move(socket_path)), socket_(socket(AF_UNIX, socket_type | SOCK_NONBLOCK, 0)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    const sockaddr_un address = address_of(path_);
    if (!socket_ || !wake_)
        fail("cannot make a socket");
    if (unlink(path_.c_str()) != 0 && errno != ENOENT)
        fail("cannot remove " + path_);
    struct stat status;
    if (bind(socket_.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
        chmod(path_.c_str(), 0600) != 0 || lstat(path_.c_str(), &status) != 0 ||
        listen(socket_.get(), backlog) != 0)
        fail("cannot listen on " + path_);
    device_ = status.st_dev;
    inode_ = status.st_ino;
}

LocalServer::~LocalServer() {
    struct stat status;
    if (lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_)
        unlink(path_.c_str());
}

void LocalServer::serve(const Handler &handler) {
    common::Workers workers(highest_thread_count);
    for (;;) {
        pollfd waiting[] = {{wake_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}};
        if (poll(waiting, 2, -1) < 0 && errno != EINTR)
            fail("cannot wait for a peer");
        if (waiting[0].revents)
            return;
        Descriptor accepted(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (accepted) {
            const auto peer = std::make_shared<const Descriptor>(std::move(accepted));
            const auto work = [peer, &handler] { answer_peer(*peer, handler); };
            if (!workers.begin(work))
                work(); // others wait meanwhile
        } else if (common::lacks_resources(errno)) {
            poll(waiting, 1, common::milliseconds_to_wait_for_resources);
        }
    }
}

void LocalServer::stop() noexcept {
    (void)eventfd_write(wake_.get(), 1); // fails only if the counter is full: it wakes up as well
}

} // namespace vmall::spank_vm

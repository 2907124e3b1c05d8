// SPDX-License-Identifier: GPL-2.0-or-later
//
// Hears many peers at a TCP port, in one thread that waits for none of them.
#include "wire/reception.hpp"

#include "common/lacking.hpp"
#include "wire/frame.hpp"
#include "wire/patience.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <map>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <utility>
#include <vector>

namespace vmall::wire {

struct Reception::Peer {
    Visitor visitor;
    IncomingFrame question = {};
    std::optional<OutgoingFrame> answer = {};

    pollfd waits_for() const {
        return {visitor.socket.get(), static_cast<short>(answer ? POLLOUT : POLLIN), 0};
    }
    enum class Stage { silent, speaks, listens };
    using Group = std::pair<std::uint64_t, Stage>;
    Group group() const {
        return {visitor.network, answer                 ? Stage::listens
                                 : question.has_begun() ? Stage::speaks
                                                        : Stage::silent};
    }
};

Reception::Reception(int port, std::chrono::milliseconds patience, Report report)
    : patience_(patience), report_(std::move(report)), listener_(port),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake_)
        throw ChannelError(std::string("cannot make an eventfd: ") + std::strerror(errno));
}

Reception::~Reception() = default;

void Reception::serve(const Handler &handler) {
    for (;;) {
        std::vector<pollfd> sockets{{wake_.get(), POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
        auto first_deadline = Connection::Clock::time_point::max();
        for (const Peer &peer : peers_) {
            sockets.push_back(peer.waits_for());
            first_deadline = std::min(first_deadline, peer.visitor.deadline);
        }
        const int patience = peers_.empty() ? -1 : milliseconds_until(first_deadline);
        if (poll(sockets.data(), sockets.size(), patience) < 0 && errno != EINTR)
            throw ChannelError(std::string("cannot wait for peers: ") + std::strerror(errno));
        if (sockets[0].revents)
            break;
        hear_peers({std::next(sockets.begin(), 2), sockets.end()}, handler);
        if (sockets[1].revents)
            admit();
    }
    peers_.clear();
}

void Reception::hear_peers(const std::vector<pollfd> &sockets, const Handler &handler) {
    auto at = peers_.begin(); // answers that begin meanwhile come last
    for (const pollfd &socket : sockets) {
        const auto peer = at++;
        try {
            if (!has_finished(*peer, socket.revents != 0, handler))
                continue;
        } catch (const std::exception &error) {
            report_(error.what());
        }
        peers_.erase(peer);
    }
}

bool Reception::has_finished(Peer &peer, bool ready, const Handler &handler) {
    Visitor &visitor = peer.visitor;
    if (ready && peer.answer && peer.answer->send(visitor.socket.get()))
        return true;
    if (ready && !peer.answer && peer.question.receive(visitor.socket.get())) {
        handler(peer.question.content(), std::move(visitor));
        return true;
    }
    if (Connection::Clock::now() < visitor.deadline)
        return false;
    throw ChannelError("peer is too slow");
}

void Reception::answer(Visitor visitor, const std::string &content) {
    OutgoingFrame frame(content);
    if (!frame.send(visitor.socket.get()))
        peers_.push_back({std::move(visitor), {}, std::move(frame)});
}

// One at a time: before the next, all have been heard who have said something meanwhile.
void Reception::admit() {
    Accepted accepted = listener_.accept();
    if (accepted.socket) {
        if (peers_.size() >= highest_peer_count)
            make_room();
        peers_.push_back(
            {{std::move(accepted.socket), Connection::Clock::now() + patience_, accepted.network}});
    } else if (accepted.lacks_resources && !peers_.empty()) {
        make_room();
    } else if (accepted.lacks_resources) {
        pollfd stopped = {wake_.get(), POLLIN, 0};
        poll(&stopped, 1, common::milliseconds_to_wait_for_resources);
    }
}

void Reception::make_room() {
    report_("peer has to make room for another one");
    std::map<Peer::Group, std::size_t> sizes;
    for (const Peer &peer : peers_)
        ++sizes[peer.group()];
    peers_.erase(
        std::max_element(peers_.begin(), peers_.end(), [&](const Peer &one, const Peer &other) {
            return sizes[one.group()] < sizes[other.group()];
        }));
}

void Reception::stop() noexcept {
    // Fails only if the counter is full, and then serve() wakes up as well.
    (void)eventfd_write(wake_.get(), 1);
}

} // namespace vmall::wire

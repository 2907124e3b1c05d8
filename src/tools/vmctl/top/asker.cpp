// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks again and again, beside a view that never waits.
#include "tools/vmctl/top/asker.hpp"

#include "common/descriptor.hpp"

#include <cerrno>
#include <mutex>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace vmall::vmctl::top {

struct Asker::Shared {
    std::mutex mutex;
    std::optional<Answer> newest;
    common::Descriptor event{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    void put(Answer answer) {
        const std::lock_guard<std::mutex> guard(mutex);
        newest = std::move(answer);
        eventfd_write(event.get(), 1);
    }
};

namespace {

Answer ask_once(const std::function<Source()> &find, std::optional<Source> &source,
                std::optional<std::time_t> &before) {
    Answer answer;
    try {
        if (!source)
            source = find();
        answer.controller = source->name;
        answer.seen = source->observe(before);
        before = answer.seen->at;
    } catch (const std::exception &error) {
        answer.problem = error.what();
    }
    return answer;
}

} // namespace

Asker::Asker(std::function<Source()> find, std::chrono::milliseconds interval)
    : shared_(std::make_shared<Shared>()) {
    if (!shared_->event)
        throw std::system_error(errno, std::generic_category(), "eventfd");
    std::thread([shared = shared_, find = std::move(find), interval] {
        std::optional<Source> source;
        std::optional<std::time_t> before;
        for (;;) {
            shared->put(ask_once(find, source, before));
            std::this_thread::sleep_for(interval);
        }
    }).detach();
}

int Asker::descriptor() const {
    return shared_->event.get();
}

std::optional<Answer> Asker::take() {
    const std::lock_guard<std::mutex> guard(shared_->mutex);
    eventfd_t count = 0;
    eventfd_read(shared_->event.get(), &count);
    return std::exchange(shared_->newest, std::nullopt);
}

} // namespace vmall::vmctl::top

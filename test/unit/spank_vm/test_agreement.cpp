// SPDX-License-Identifier: GPL-2.0-or-later
//
// Agents of two nodes of a job, which ask with a real munged. Needs root.
#include "limit.hpp"
#include "run.hpp"
#include "spank_vm/agent/agreement.hpp"
#include "wire/reception.hpp"

#include "../wire/munged.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

using namespace vmall;
using agent::Agreement;
using vmall::test::limit;

namespace {

constexpr std::uint32_t job_id = 7;

Agreement::Part part(std::uint32_t mpl) {
    return {job_id, "a", 2, mpl};
}

class Signal {
  public:
    void give() {
        const std::lock_guard<std::mutex> lock(mutex_);
        given_ = true;
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        ck_assert(changed_.wait_for(lock, limit, [&] { return given_; }));
        given_ = false;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool given_ = false;
};

// Nodes a, which is the first, and b. a's port may lead nowhere.
class Pair {
  public:
    Pair()
        : reception_(0, limit, [](const std::string &) {}), seal_(munged_.socket()),
          serving_([this] { serve(); }) {
        write_content(directory_ / "slurm.conf",
                      "NodeName=a NodeAddr=127.0.0.1 Port=" + std::to_string(reception_.port()));
        a_.emplace(
            settings("a"), [this] { a_changed.give(); });
        b_.emplace(settings("b"), [this] { b_changed.give(); });
    }
    Pair(const Pair &) = delete;
    Pair &operator=(const Pair &) = delete;
    ~Pair() {
        b_.reset();
        reception_.stop();
        serving_.join();
    }
    // 0: none is agreed.
    std::uint32_t agree_on_a(std::uint32_t mpl) { return depth(a_->agree({part(mpl)})); }
    std::uint32_t agree_on_b(std::uint32_t mpl) { return depth(b_->agree({part(mpl)})); }
    void forget_on_a() { a_->agree({}); }

    Signal a_changed, b_changed;

  private:
    static std::uint32_t depth(const Agreement::Depths &depths) {
        const auto found = depths.find(job_id);
        return found == depths.end() ? 0 : found->second;
    }
    void serve() {
        reception_.serve([this](const std::string &credential, wire::Visitor visitor) {
            const wire::Opened asked = seal_.open(credential);
            const wire::Wish wish = wire::decode_wish(asked.payload).value();
            ck_assert_text(wish.node, "b");
            reception_.answer(std::move(visitor),
                              seal_.seal(wire::encode(a_->answer(wish)), asked.uid));
        });
    }
    agent::Settings settings(const std::string &node) const {
        agent::Settings settings;
        settings.config.munge_socket = munged_.socket();
        settings.config.agent_timeout_ms =
            static_cast<int>(std::chrono::milliseconds(limit).count());
        settings.config.agent_port = {true, 0};
        settings.slurm_conf = directory_ / "slurm.conf";
        settings.node_name = node;
        return settings;
    }

    const Munged munged_;
    const TemporaryDirectory directory_;
    wire::Reception reception_;
    const wire::Seal seal_;
    std::optional<Agreement> a_, b_;
    std::thread serving_;
};

START_TEST(nodes_come_to_agree_on_the_deepest) {
    Pair pair;
    ck_assert_uint_eq(pair.agree_on_a(2), 0);
    ck_assert_uint_eq(pair.agree_on_b(1), 0);
    pair.a_changed.wait();
    pair.b_changed.wait();
    ck_assert_uint_eq(pair.agree_on_a(2), 2);
    ck_assert_uint_eq(pair.agree_on_b(1), 2);
    ck_assert_uint_eq(pair.agree_on_b(3), 2); // until it is answered
    pair.b_changed.wait();
    ck_assert_uint_eq(pair.agree_on_a(2), 3);
    ck_assert_uint_eq(pair.agree_on_b(3), 3);
}
END_TEST

START_TEST(job_that_the_first_node_does_not_know_is_not_agreed_on) {
    Pair pair;
    pair.agree_on_a(2);
    pair.agree_on_b(1);
    pair.b_changed.wait();
    pair.forget_on_a();
    pair.agree_on_b(4);
    pair.b_changed.wait();
    ck_assert_uint_eq(pair.agree_on_b(4), 0);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (geteuid() != 0)
        return skipped;
    TCase *tests = tcase_create("agreement");
    tcase_add_test(tests, nodes_come_to_agree_on_the_deepest);
    tcase_add_test(tests, job_that_the_first_node_does_not_know_is_not_agreed_on);
    return run("agreement", tests);
}

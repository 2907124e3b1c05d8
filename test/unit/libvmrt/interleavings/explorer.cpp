// SPDX-License-Identifier: GPL-2.0-or-later
#include "explorer.hpp"

#include <string_view>
#include <unordered_set>

namespace vmall::interleavings {
namespace {

constexpr std::uint64_t progress_period = 1'000'000;

struct Fork {
    std::string state;
    std::vector<Move> moves;
    std::size_t tried = 0;
};

class Exploration {
  public:
    Exploration(const Scenario &scenario, std::uint64_t most_states, const Progress &progress)
        : node_(scenario), most_states_(most_states), progress_(progress) {}

    Result run() {
        arrive();
        while (depth_ > 0 && result_.fault.empty() && result_.complete) {
            Fork &fork = path_[depth_ - 1];
            if (fork.tried == fork.moves.size()) {
                --depth_;
                continue;
            }
            node_.restore(fork.state);
            node_.make(fork.moves[fork.tried++]);
            ++result_.moves;
            arrive();
        }
        return result_;
    }

  private:
    void arrive() {
        if (!node_.fault().empty()) {
            result_.fault = node_.fault();
            tell_path();
            return;
        }
        if (depth_ == path_.size())
            path_.emplace_back();
        Fork &fork = path_[depth_];
        node_.copy_state(fork.state);
        if (!seen_.insert(std::hash<std::string_view>()(fork.state)).second)
            return;
        if (++result_.states % progress_period == 0 && progress_)
            progress_(result_);
        result_.complete = result_.states <= most_states_;
        result_.ends += node_.is_over();
        fork.moves = node_.possible_moves();
        fork.tried = 0;
        ++depth_;
    }

    void tell_path() {
        for (std::size_t i = 0; i < depth_; ++i) {
            const Fork &fork = path_[i];
            node_.restore(fork.state);
            result_.path.push_back(node_.describe(fork.moves[fork.tried - 1]));
        }
    }

    Node node_;
    std::uint64_t most_states_;
    const Progress &progress_;
    std::unordered_set<std::uint64_t> seen_; // by their hash: one in 10^5 runs overlooks a state
    std::vector<Fork> path_;                 // up to depth_; those behind keep their memory
    std::size_t depth_ = 0;
    Result result_;
};

} // namespace

Result explore(const Scenario &scenario, std::uint64_t most_states, const Progress &progress) {
    return Exploration(scenario, most_states, progress).run();
}

} // namespace vmall::interleavings

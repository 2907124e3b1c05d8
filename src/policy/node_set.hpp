// SPDX-License-Identifier: GPL-2.0-or-later
//
// Nodes, ascending without repeats. Copies share them: thousands of jobs may run on the same
// thousands of nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace vmall::policy {

struct NodeIndex {
    std::uint32_t value = 0;
    friend bool operator==(NodeIndex a, NodeIndex b) { return a.value == b.value; }
    friend bool operator<(NodeIndex a, NodeIndex b) { return a.value < b.value; }
};

class NodeSet {
  public:
    NodeSet() = default;
    NodeSet(std::initializer_list<NodeIndex> nodes) : NodeSet(std::vector<NodeIndex>(nodes)) {}
    NodeSet(std::vector<NodeIndex> nodes) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        if (!nodes.empty())
            nodes_ = std::make_shared<const std::vector<NodeIndex>>(std::move(nodes));
    }

    bool empty() const { return !nodes_; }
    std::size_t size() const { return end() - begin(); }
    const NodeIndex *begin() const { return nodes_ ? nodes_->data() : nullptr; }
    const NodeIndex *end() const { return nodes_ ? nodes_->data() + nodes_->size() : nullptr; }
    NodeIndex operator[](std::size_t index) const { return (*nodes_)[index]; }
    NodeIndex front() const { return nodes_->front(); }
    NodeIndex back() const { return nodes_->back(); }
    bool has(NodeIndex node) const { return std::binary_search(begin(), end(), node); }

    friend bool operator==(const NodeSet &a, const NodeSet &b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

    // Of copies of one set: the same. Equal sets that were made apart differ.
    const void *identity() const { return nodes_.get(); }

  private:
    std::shared_ptr<const std::vector<NodeIndex>> nodes_; // null: none
};

} // namespace vmall::policy

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ranks to and from JSON.
#include "spank_vm/node/ranks.hpp"

#include "layout/control_block.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace vmall::spank_vm {

wire::Json to_json(const Ranks &ranks) {
    wire::Json json = {{"runtime", config::in_words(ranks.runtime)},
                       {"cpus_per_rank", ranks.cpus_per_rank},
                       {"nodes", ranks.node_count}};
    if (!ranks.first_node.empty())
        json["first_node"] = ranks.first_node;
    return json;
}

Ranks read_ranks(const wire::Json &json) {
    const wire::Fields fields(json, "ranks");
    Ranks ranks;
    const std::string runtime = fields.text("runtime");
    ranks.cpus_per_rank = fields.number32("cpus_per_rank", 1, VMALL_CONTROL_MAX_CPUS);
    ranks.node_count = fields.number32("nodes", 1, highest_node_count);
    if (fields.has("first_node"))
        ranks.first_node = fields.node_name("first_node");
    try {
        if (!runtime.empty())
            ranks.runtime = config::parse_runtime_request(runtime);
    } catch (const std::runtime_error &error) {
        fields.fail("runtime", error.what());
    }
    return ranks;
}

} // namespace vmall::spank_vm

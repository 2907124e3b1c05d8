// SPDX-License-Identifier: GPL-2.0-or-later
//
// What holds for several nodes is said once.
#include "tools/vmctl/why_dealt.hpp"

#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/words.hpp"

#include <algorithm>
#include <map>

namespace vmall::vmctl {

namespace {

using wire::Deal;
using wire::JobRow;
using wire::NodeCores;
using Sentences = std::vector<std::string>;

// Nodes by what holds there.
template <typename What>
std::map<What, std::vector<std::string>> nodes_by(const JobRow &job, What Deal::*what) {
    std::map<What, std::vector<std::string>> nodes;
    for (const NodeCores &node : job.nodes)
        if (node.deal)
            nodes[(*node.deal).*what].push_back(node.node);
    return nodes;
}

std::string named(const std::vector<std::uint32_t> &jobs) {
    std::string text = jobs.size() == 1 ? "job" : "jobs";
    for (std::size_t i = 0; i < jobs.size(); ++i)
        text += (i == 0 ? " " : i + 1 == jobs.size() ? " and " : ", ") + std::to_string(jobs[i]);
    return text;
}

void tell_company(Sentences &sentences, const JobRow &job) {
    bool is_alone = true;
    for (const auto &[with, nodes] : nodes_by(job, &Deal::with))
        if (!with.empty()) {
            sentences.push_back("On " + ranged(nodes) + " Slurm gave cores of it to " +
                                named(with) + ", too.");
            is_alone = false;
        }
    if (is_alone)
        sentences.push_back(
            job.mpl == 1 ? "No other job that is yours to see was given cores of it by Slurm."
                         : "Those that it shares with are not yours to see.");
}

// The node with the least decides for all.
void tell_agreement(Sentences &sentences, const JobRow &job) {
    if (job.nodes.size() == 1 || job.mpl == 1)
        return;
    const auto wishes = nodes_by(job, &Deal::mpl);
    const auto &[deepest, nodes] = *wishes.rbegin();
    sentences.push_back("It is folded alike on all of its nodes: as deep as on " + ranged(nodes) +
                        ", where it would have MPL " + std::to_string(deepest) + ".");
}

void tell_where_it_is_fixed(Sentences &sentences, const JobRow &job) {
    for (const auto &[why, nodes] : nodes_by(job, &Deal::fixed))
        if (!why.empty())
            sentences.push_back("On " + ranged(nodes) + " it " + printable(why) + ".");
}

void tell_use(Sentences &sentences, const JobRow &job) {
    const auto by_use = nodes_by(job, &Deal::useful_percent); // not known comes first
    const auto known = by_use.upper_bound(std::nullopt);
    if (known == by_use.end())
        sentences.push_back("What it makes use of is not known yet of as many cores as it has "
                            "(SurveyInterval), or never if libvmrt does not serve all of it.");
    else
        sentences.push_back("It makes use of " + std::to_string(*known->first) +
                            "% of the cores that it has" +
                            (job.nodes.size() > 1 ? ", where that is least" : "") + ".");
}

void tell_if_unserved(Sentences &sentences, const JobRow &job) {
    if (job.ranks && job.ranks->tasks > 0 && job.ranks->attached == 0)
        sentences.push_back("libvmrt serves none of its processes: those that wait in MPI poll.");
}

} // namespace

std::vector<std::string> explain_deals(const JobRow &job) {
    Sentences sentences;
    if (!std::any_of(job.nodes.begin(), job.nodes.end(),
                     [](const NodeCores &node) { return node.deal.has_value(); }))
        return sentences;
    tell_company(sentences, job);
    tell_agreement(sentences, job);
    tell_where_it_is_fixed(sentences, job);
    tell_use(sentences, job);
    tell_if_unserved(sentences, job);
    if (job.lost_seconds.value_or(0) > 0)
        sentences.push_back("It has lost " + count_of(*job.lost_seconds, "second") +
                            " by sharing.");
    return sentences;
}

} // namespace vmall::vmctl

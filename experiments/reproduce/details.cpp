// SPDX-License-Identifier: GPL-2.0-or-later
//
// Claims with every measurement, tables, assumptions, and what others lead to.
#include "experiments/reproduce/details.hpp"

#include "experiments/reproduce/markdown.hpp"
#include "experiments/reproduce/text.hpp"
#include "experiments/reproduce/verdict.hpp"

#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

std::string ours(const std::vector<Measurement> &measurements) {
    std::vector<std::string> texts;
    for (const Measurement &measurement : measurements) {
        const std::string where = measurement.where.empty() ? "" : measurement.where + ": ";
        texts.push_back(where + with_interval(summarise(measurement)));
    }
    return texts.empty() ? "not measured" : joined(texts, "<br>");
}

std::string accepted(const Claim &claim) {
    return words(claim.accepted) + (claim.reading.empty() ? "" : " (" + claim.reading + ")");
}

std::string findings(const std::vector<Finding> &all) {
    std::string text = header({"", "the paper says", "measure", "accepted", "ours", "verdict"});
    for (std::size_t i = 0; i < all.size(); i++) {
        const Claim &claim = all[i].claim;
        text +=
            row({std::to_string(i + 1), claim.says + " (" + claim.source + ")", claim.measure,
                 accepted(claim), ours(all[i].measurements), "**" + to_text(judge(all[i])) + "**"});
    }
    return text + "\n";
}

std::string list(const std::vector<std::string> &items) {
    std::string text;
    for (const std::string &item : items)
        text += "- " + item + "\n";
    return text + "\n";
}

std::string sensitivities(const std::vector<Finding> &all) {
    std::vector<std::string> dependent;
    std::vector<std::string> steady;
    for (std::size_t i = 0; i < all.size(); i++) {
        const auto other = sensitive_to(all[i]);
        if (!other.empty()) {
            dependent.push_back("Claim " + std::to_string(i + 1) + ". " + joined(other, "; ") +
                                ".");
        } else if (!all[i].alternatives.empty()) {
            steady.push_back(std::to_string(i + 1));
        }
    }
    std::string text;
    if (!dependent.empty())
        text += "Another verdict under another assumption:\n\n" + list(dependent);
    if (!steady.empty())
        text += "The same verdict under every assumption tried: " + joined(steady, ", ") + ".\n\n";
    return text;
}

std::string alternatives(const std::vector<Finding> &all) {
    std::string rows;
    for (std::size_t i = 0; i < all.size(); i++) {
        for (const Alternative &alternative : all[i].alternatives) {
            rows +=
                row({std::to_string(i + 1), alternative.assumption, ours(alternative.measurements),
                     to_text(judge(alternative.measurements, all[i].claim.accepted))});
        }
    }
    return rows.empty() ? ""
                        : "## Under other assumptions\n\n" + sensitivities(all) +
                              header({"claim", "assumption", "ours", "verdict"}) + rows + "\n";
}

std::string table(const Table &table) {
    std::string text = table.caption + "\n\n" + header(table.header);
    for (const auto &cells : table.rows) {
        if (cells.size() != table.header.size())
            throw std::invalid_argument("a table is not rectangular: " + table.caption);
        text += row(cells);
    }
    return text + "\n";
}

} // namespace

std::string details(const Finished &finished, const std::string &overview) {
    const Experiment &experiment = finished.experiment;
    std::string text = "# " + experiment.name + "\n\n" + experiment.source + ". " +
                       experiment.compares + "\n[How to read this, and all experiments](" +
                       overview + ").\n\n" + findings(finished.results.findings);
    for (const Table &one : finished.results.tables)
        text += table(one);
    if (!experiment.assumptions.empty())
        text += "Assumed, because the paper leaves it open:\n\n" + list(experiment.assumptions);
    text += alternatives(finished.results.findings);
    text.pop_back();
    return text;
}

} // namespace vmall::sim::reproduce

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Markdown, written from top to bottom.
#include "experiments/reproduce/page.hpp"

#include "experiments/reproduce/fjt_variants.hpp"
#include "experiments/reproduce/markdown.hpp"
#include "experiments/reproduce/text.hpp"
#include "experiments/reproduce/verdict.hpp"

#include <sstream>
#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

struct Count {
    int claims = 0;
    int by_verdict[3] = {};
    int dependent = 0; // on an assumption

    void add(const Finding &finding) {
        claims++;
        by_verdict[static_cast<int>(judge(finding))]++;
        dependent += !sensitive_to(finding).empty();
    }
    std::vector<std::string> cells() const {
        std::vector<std::string> all;
        for (const int number : {claims, by_verdict[static_cast<int>(Verdict::holds)],
                                 by_verdict[static_cast<int>(Verdict::does_not_hold)],
                                 by_verdict[static_cast<int>(Verdict::cannot_be_told)], dependent})
            all.push_back(std::to_string(number));
        return all;
    }
};

std::string introduction(const PageFacts &facts) {
    std::ostringstream text;
    text << "# What the papers say, and what we get\n\n"
         << "Written by `" << facts.command << "`; changes by hand are lost.\n\n"
         << "Every random workload is drawn with " << facts.seeds
         << (facts.seeds == 1 ? " seed" : " different seeds")
         << "; policies are compared on the same workloads. A number in the column\n"
            "*ours* is the mean over the seeds, with its 95 % confidence interval in brackets "
            "(Student's t). A measurement holds if\nthe whole interval lies in what the claim "
            "accepts, does not hold if the whole interval lies outside, and cannot be told\n"
            "otherwise. A claim holds if all its measurements do, and does not hold if one does "
            "not. A gain larger than a paper says is outside, too. Where\nthere are several "
            "measurements, *ours* is the one that decides: of those with the claim's verdict the "
            "one that is\nfarthest outside, or nearest to the end of, what is accepted. A verdict "
            "with a * is another one under another\nassumption. The page of an experiment has all "
            "measurements, what was assumed where the paper leaves a parameter open,\nwhat other "
            "assumptions lead to, and how words of the paper were read as numbers.\n\n";
    if (!facts.not_run.empty())
        text << "Interrupted. Not run: " << joined(facts.not_run, ", ") << ".\n\n";
    return text.str();
}

std::string ours(const Finding &finding) {
    const Measurement *decides = decisive(finding);
    if (decides == nullptr)
        return "not measured";
    std::string text = with_interval(summarise(*decides));
    if (!decides->where.empty())
        text += ", " + decides->where;
    const std::size_t all = finding.measurements.size();
    return all > 1 ? text + " (1 of " + std::to_string(all) + ")" : text;
}

std::string marked_verdict(const Finding &finding) {
    return "**" + to_text(judge(finding)) + "**" + (sensitive_to(finding).empty() ? "" : " *");
}

std::string counts(const std::vector<Finished> &finished) {
    std::string rows;
    Count total;
    for (const Finished &one : finished) {
        Count count;
        for (const Finding &finding : one.results.findings) {
            count.add(finding);
            total.add(finding);
        }
        std::vector<std::string> cells = count.cells();
        cells.insert(cells.begin(), {link_to_heading(one.experiment.name), one.experiment.source});
        rows += row(cells);
    }
    std::vector<std::string> cells = total.cells();
    cells.insert(cells.begin(), {"all", ""});
    return header({"experiment", "source", "claims", "hold", "do not hold", "cannot be told",
                   "depend on an assumption"}) +
           rows + row(cells);
}

std::string headlines(const std::vector<Finished> &finished) {
    std::string rows;
    for (const Finished &one : finished) {
        for (const Finding &finding : one.results.findings) {
            if (finding.claim.headline) {
                rows += row({finding.claim.says, finding.claim.source, finding.claim.measure,
                             ours(finding), marked_verdict(finding),
                             link_to_heading(one.experiment.name)});
            }
        }
    }
    return rows.empty() ? ""
                        : "\nWhat the papers stand for:\n\n" +
                              header({"the paper says", "source", "measure", "ours", "verdict",
                                      "experiment"}) +
                              rows;
}

std::string claims(const std::vector<Finding> &all) {
    std::string text = header({"", "the paper says", "measure", "accepted", "ours", "verdict"});
    for (std::size_t i = 0; i < all.size(); i++) {
        const Claim &claim = all[i].claim;
        text += row({std::to_string(i + 1), claim.says + " (" + claim.source + ")", claim.measure,
                     words(claim.accepted), ours(all[i]), marked_verdict(all[i])});
    }
    return text;
}

std::string reasons(const std::vector<Finding> &all) {
    std::string text;
    for (std::size_t i = 0; i < all.size(); i++)
        if (!all[i].why.empty())
            text += "- Claim " + std::to_string(i + 1) + ". " + all[i].why + "\n";
    return text.empty() ? "" : "\n" + text;
}

std::string section(const Finished &one, const std::string &folder) {
    const Experiment &experiment = one.experiment;
    if (one.results.findings.empty())
        throw std::invalid_argument("an experiment without findings: " + experiment.name);
    std::string text = "\n## " + experiment.name + "\n\n" + experiment.source + ". " +
                       experiment.compares + "\n[All measurements and assumptions](" + folder +
                       "/" + experiment.name + ".md).\n\n" + claims(one.results.findings) +
                       reasons(one.results.findings);
    for (const Chart &chart : one.results.charts)
        text += "\n![" + chart.title + "](" + folder + "/" + chart.name + ".svg)\n";
    return text;
}

} // namespace

std::string page(const std::vector<Finished> &finished, const PageFacts &facts,
                 const std::string &folder) {
    std::string text = introduction(facts) + "## In short\n\n" + counts(finished) +
                       headlines(finished) + variants_section(finished);
    for (const Finished &one : finished)
        text += section(one, folder);
    return text;
}

} // namespace vmall::sim::reproduce

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Markdown, written from top to bottom.
#include "sim/reproduce/page.hpp"

#include "sim/reproduce/fjt_variants.hpp"
#include "sim/reproduce/text.hpp"
#include "sim/reproduce/verdict.hpp"

#include <cctype>
#include <sstream>
#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

std::string joined(const std::vector<std::string> &texts, const std::string &between) {
    std::string all;
    for (std::size_t i = 0; i < texts.size(); i++) {
        all += (i == 0 ? "" : between) + texts[i];
    }
    return all;
}

// As GitHub makes them of headings.
std::string anchor(const std::string &heading) {
    std::string text;
    for (const char c : heading) {
        text += std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? std::string(1, c) : "";
    }
    return text;
}

std::string row(const std::vector<std::string> &cells) {
    return "| " + joined(cells, " | ") + " |\n";
}

std::string header(const std::vector<std::string> &cells) {
    return row(cells) + row(std::vector<std::string>(cells.size(), "---"));
}

std::string bold(Verdict verdict) {
    return "**" + to_text(verdict) + "**";
}

std::string ours(const std::vector<Measurement> &measurements) {
    std::vector<std::string> texts;
    for (const Measurement &measurement : measurements) {
        const std::string where = measurement.where.empty() ? "" : measurement.where + ": ";
        texts.push_back(where + with_interval(summarise(measurement)));
    }
    return texts.empty() ? "not measured" : joined(texts, "<br>");
}

std::string count_line(const std::vector<Finished> &finished) {
    int counts[3] = {};
    int total = 0;
    for (const Finished &one : finished) {
        for (const Finding &finding : one.results.findings) {
            ++counts[static_cast<int>(judge(finding))];
            ++total;
        }
    }
    std::ostringstream text;
    text << total << " claims: " << counts[0] << " hold, " << counts[1] << " do not hold, "
         << counts[2] << " cannot be told.\n";
    return text.str();
}

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
            "not. Where a paper gives a direction\nor a word instead of a number, the column "
            "*accepted* says how it was read.\n\n";
    if (!facts.not_run.empty()) {
        text << "Interrupted. Not run: " << joined(facts.not_run, ", ") << ".\n\n";
    }
    return text.str();
}

std::string summary(const std::vector<Finished> &finished) {
    std::ostringstream text;
    text << "## Summary\n\n"
         << count_line(finished) << "\n"
         << header({"experiment", "source", "claim", "verdict", "depends on an assumption"});
    for (const Finished &one : finished) {
        const std::string link =
            "[" + one.experiment.name + "](#" + anchor(one.experiment.name) + ")";
        for (const Finding &finding : one.results.findings) {
            text << row({link, finding.claim.source, finding.claim.says, bold(judge(finding)),
                         sensitive_to(finding).empty() ? "" : "yes"});
        }
    }
    return text.str();
}

std::string sensitivity(const Finding &finding) {
    if (finding.alternatives.empty()) {
        return "";
    }
    const auto other = sensitive_to(finding);
    if (other.empty()) {
        return "Same verdict under every other assumption tried.";
    }
    return "Depends on what is assumed. " + joined(other, "; ") + ".";
}

std::string accepted(const Claim &claim) {
    return words(claim.accepted) + (claim.reading.empty() ? "" : " (" + claim.reading + ")");
}

std::string findings(const std::vector<Finding> &all) {
    std::string text = header({"", "the paper says", "measure", "accepted", "ours", "verdict"});
    for (std::size_t i = 0; i < all.size(); i++) {
        const Claim &claim = all[i].claim;
        text += row({std::to_string(i + 1), claim.says + " (" + claim.source + ")", claim.measure,
                     accepted(claim), ours(all[i].measurements), bold(judge(all[i]))});
    }
    text += "\n";
    for (std::size_t i = 0; i < all.size(); i++) {
        const std::string depends = sensitivity(all[i]);
        const std::string between = all[i].why.empty() || depends.empty() ? "" : " ";
        if (!all[i].why.empty() || !depends.empty()) {
            text +=
                "- Claim " + std::to_string(i + 1) + ". " + all[i].why + between + depends + "\n";
        }
    }
    return text + "\n";
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
                        : "Under other assumptions:\n\n" +
                              header({"claim", "assumption", "ours", "verdict"}) + rows + "\n";
}

std::string table(const Table &table) {
    std::string text = table.caption + "\n\n" + header(table.header);
    for (const auto &cells : table.rows) {
        if (cells.size() != table.header.size()) {
            throw std::invalid_argument("a table is not rectangular: " + table.caption);
        }
        text += row(cells);
    }
    return text + "\n";
}

std::string section(const Finished &one, const std::string &pictures) {
    if (one.results.findings.empty()) {
        throw std::invalid_argument("an experiment without findings: " + one.experiment.name);
    }
    std::string text = "\n## " + one.experiment.name + "\n\n" + one.experiment.source + ". " +
                       one.experiment.compares + "\n\n";
    text += findings(one.results.findings);
    for (const Chart &chart : one.results.charts) {
        text += "![" + chart.title + "](" + pictures + "/" + chart.name + ".svg)\n\n";
    }
    for (const Table &one_table : one.results.tables) {
        text += table(one_table);
    }
    if (!one.experiment.assumptions.empty()) {
        text += "Assumed, because the paper leaves it open:\n\n";
        for (const std::string &assumption : one.experiment.assumptions) {
            text += "- " + assumption + "\n";
        }
        text += "\n";
    }
    text += alternatives(one.results.findings);
    text.pop_back();
    return text;
}

} // namespace

std::string page(const std::vector<Finished> &finished, const PageFacts &facts,
                 const std::string &pictures) {
    std::string text = introduction(facts) + summary(finished) + variants_section(finished);
    for (const Finished &one : finished) {
        text += section(one, pictures);
    }
    return text;
}

} // namespace vmall::sim::reproduce

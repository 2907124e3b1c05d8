// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts verdicts under both variants.
#include "experiments/reproduce/fjt_variants.hpp"

#include "experiments/reproduce/utrera.hpp"
#include "experiments/reproduce/verdict.hpp"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace vmall::sim::reproduce {

namespace {

void count(Verdict verdict, VariantScore &score) {
    switch (verdict) {
    case Verdict::holds:
        score.holds++;
        break;
    case Verdict::does_not_hold:
        score.does_not_hold++;
        break;
    case Verdict::cannot_be_told:
        score.cannot_be_told++;
        break;
    }
}

std::string score_row(const std::string &name, const VariantScore &score) {
    std::ostringstream row;
    row << "| `" << name << "` | " << score.holds << " | " << score.does_not_hold << " | "
        << score.cannot_be_told << " |\n";
    return row.str();
}

} // namespace

VariantComparison compare_variants(const std::vector<Finished> &finished) {
    VariantComparison result;
    for (const Finished &one : finished) {
        for (const Finding &finding : one.results.findings) {
            for (const Alternative &alternative : finding.alternatives) {
                if (alternative.assumption != other_variant)
                    continue;
                const Verdict ours = judge(finding);
                const Verdict other = judge(alternative.measurements, finding.claim.accepted);
                count(ours, result.by_default);
                count(other, result.other);
                if (ours != other) {
                    result.differing.push_back(one.experiment.name + ", " + finding.claim.says +
                                               ": " + to_text(ours) + ", " + to_text(other));
                }
            }
        }
    }
    const auto merit = [](const VariantScore &score) {
        return std::tuple(score.holds, -score.does_not_hold);
    };
    result.other_is_better = merit(result.other) > merit(result.by_default);
    return result;
}

std::string variants_section(const std::vector<Finished> &finished) {
    const VariantComparison result = compare_variants(finished);
    const VariantScore &score = result.by_default;
    if (score.holds + score.does_not_hold + score.cannot_be_told == 0)
        return "";
    const std::string names[] = {"figure", "prose"};
    std::ostringstream text;
    text << "\n## The two variants of FJT\n\n"
         << "The pseudo-code of FJT (Utrera's thesis, figure 5.5; FJT paper, s. 3) lets a long job "
            "wait while short jobs run; the\nprose of the thesis (s. 5.3) starts it folded beside "
            "them. The page uses `"
         << names[0] << "`, the default. Of the claims measured under both:\n\n"
         << "| variant | hold | do not hold | cannot be told |\n| --- | --- | --- | --- |\n"
         << score_row(names[0], result.by_default) << score_row(names[1], result.other) << "\n"
         << "The better one is the one under which more claims hold; if as many, the one under "
            "which fewer do not: `"
         << names[result.other_is_better ? 1 : 0]
         << "`.\nThe example schedules of the papers (Utrera's figure 6.2 d, ICS'05 figure 1 c) "
            "are not among the claims: they show a\nlong job that starts beside a short one, as "
            "only `prose` has it.\n\n"
         << "Claims with other verdicts (`" << names[0] << "`, `" << names[1] << "`):\n\n";
    for (const std::string &one : result.differing)
        text << "- " << one << "\n";
    return text.str();
}

} // namespace vmall::sim::reproduce

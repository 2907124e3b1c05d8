// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rule of the header, nothing else.
#include "experiments/reproduce/verdict.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim::reproduce {

std::string to_text(Verdict verdict) {
    switch (verdict) {
    case Verdict::holds:
        return "holds";
    case Verdict::does_not_hold:
        return "does not hold";
    case Verdict::cannot_be_told:
        return "cannot be told";
    }
    throw std::logic_error("a verdict without a text");
}

Sample summarise(const Measurement &measurement) {
    Sample summary = summarise(measurement.values);
    if (!measurement.exact)
        return summary;
    if (summary.count != 1)
        throw std::invalid_argument("an exact measurement has one value");
    summary.low = summary.high = summary.mean;
    return summary;
}

Verdict judge(const Measurement &measurement, const Range &accepted) {
    const Sample summary = summarise(measurement);
    const bool at_low_end = accepted.open && summary.low == accepted.low;
    const bool at_high_end = accepted.open && summary.high == accepted.high;
    if (summary.low >= accepted.low && summary.high <= accepted.high && !at_low_end && !at_high_end)
        return Verdict::holds;
    if (summary.high < accepted.low || summary.low > accepted.high ||
        (accepted.open && (summary.high == accepted.low || summary.low == accepted.high)))
        return Verdict::does_not_hold;
    return Verdict::cannot_be_told;
}

Verdict judge(const std::vector<Measurement> &measurements, const Range &accepted) {
    Verdict verdict = measurements.empty() ? Verdict::cannot_be_told : Verdict::holds;
    for (const Measurement &measurement : measurements) {
        const Verdict one = judge(measurement, accepted);
        if (one == Verdict::does_not_hold)
            return one;
        if (one == Verdict::cannot_be_told)
            verdict = one;
    }
    return verdict;
}

Verdict judge(const Finding &finding) {
    return judge(finding.measurements, finding.claim.accepted);
}

const Measurement *decisive(const Finding &finding) {
    const Range &accepted = finding.claim.accepted;
    const Verdict verdict = judge(finding);
    const Measurement *decides = nullptr;
    double least_room = 0;
    for (const Measurement &measurement : finding.measurements) {
        const Sample summary = summarise(measurement);
        const double room = std::min(summary.low - accepted.low, accepted.high - summary.high);
        if (judge(measurement, accepted) == verdict && (!decides || room < least_room)) {
            decides = &measurement;
            least_room = room;
        }
    }
    return decides;
}

std::vector<std::string> sensitive_to(const Finding &finding) {
    std::vector<std::string> texts;
    for (const Alternative &alternative : finding.alternatives) {
        const Verdict verdict = judge(alternative.measurements, finding.claim.accepted);
        if (verdict != judge(finding))
            texts.push_back(alternative.assumption + ": " + to_text(verdict));
    }
    return texts;
}

} // namespace vmall::sim::reproduce

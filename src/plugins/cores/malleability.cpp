// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a job is virtually malleable.
#include "plugins/cores/malleability.hpp"

namespace vmall::cores {

namespace {

// Null: nothing.
const char *what_forbids_it(const vmall_applicant &applicant, bool fold_gres) {
    if (applicant.whole_nodes)
        return "it takes whole nodes (--exclusive or the partition's OverSubscribe)";
    if (applicant.fixed)
        return applicant.fixed;
    if (applicant.gres && !fold_gres && !applicant.folded_with_gres)
        return "it has GRES (FoldGres of vmall.conf)";
    return nullptr;
}

std::string refused(const std::string &reason) {
    return "asked for virtual malleability and is scheduled like the others: " + reason;
}

} // namespace

Malleability malleability_of(const vmall_applicant &applicant, bool fold_gres) {
    Malleability result;
    try {
        result.request = config::parse_environment(applicant.spank_environment,
                                                   applicant.spank_environment_count);
        const char *reason = what_forbids_it(applicant, fold_gres);
        if (result.request.asked && reason)
            result.refusal = refused(reason);
    } catch (const config::RequestError &error) {
        result.refusal = refused(error.what());
    }
    return result;
}

bool is_malleable(const vmall_applicant *applicant, bool fold_gres) noexcept {
    try {
        return malleability_of(*applicant, fold_gres).granted();
    } catch (const std::exception &) {
        return false;
    }
}

} // namespace vmall::cores

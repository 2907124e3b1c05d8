// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why jobs wait, in words for people.
#include "policy/reasons.hpp"

namespace vmall::policy {

std::string in_words(Reason reason) {
    const std::string number = std::to_string(reason.number);
    switch (reason.kind) {
    case Reason::Kind::no_machine:
        return "does not fit this machine";
    case Reason::Kind::refused:
        return "was refused by the resource manager";
    case Reason::Kind::memory:
        return "waits for memory";
    case Reason::Kind::short_jobs:
        return "waits for short jobs to end (FJT)";
    case Reason::Kind::share:
        return "waits for its share of the cores (PSA)";
    case Reason::Kind::being_freed:
        return "waits for cores that are being freed";
    case Reason::Kind::level:
        return "waits for the multiprogramming level to allow it";
    case Reason::Kind::cores:
        return "waits for " + number + (reason.number == 1 ? " core" : " cores");
    case Reason::Kind::whole_nodes:
        return "waits for whole nodes";
    case Reason::Kind::would_delay:
        return "would delay job " + number;
    case Reason::Kind::long_behind:
        return "is behind job " + number + ", only short jobs may pass";
    case Reason::Kind::reserved:
        return "waits for its reserved start";
    }
    return {};
}

const char *name_of(Reason::Kind kind) {
    switch (kind) {
    case Reason::Kind::no_machine:
        return "no_machine";
    case Reason::Kind::refused:
        return "refused";
    case Reason::Kind::memory:
        return "memory";
    case Reason::Kind::short_jobs:
        return "short_jobs";
    case Reason::Kind::share:
        return "share";
    case Reason::Kind::being_freed:
        return "being_freed";
    case Reason::Kind::level:
        return "level";
    case Reason::Kind::cores:
        return "cores";
    case Reason::Kind::whole_nodes:
        return "whole_nodes";
    case Reason::Kind::would_delay:
        return "would_delay";
    case Reason::Kind::long_behind:
        return "long_behind";
    case Reason::Kind::reserved:
        break;
    }
    return "reserved";
}

} // namespace vmall::policy

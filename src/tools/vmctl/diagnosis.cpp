// SPDX-License-Identifier: GPL-2.0-or-later
//
// What one check of an installation has found.
#include "tools/vmctl/diagnosis.hpp"

#include "tools/vmctl/layout.hpp"
#include "wire/fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vmall::vmctl {

Diagnoses merged(const Diagnoses &diagnoses) {
    Diagnoses result;
    for (const Diagnosis &diagnosis : diagnoses) {
        const auto same = std::find_if(result.begin(), result.end(), [&](const Diagnosis &other) {
            return other.check == diagnosis.check && other.what == diagnosis.what &&
                   other.fix == diagnosis.fix;
        });
        if (same != result.end()) {
            same->where.insert(same->where.end(), diagnosis.where.begin(), diagnosis.where.end());
            continue;
        }
        const auto last = std::find_if(result.rbegin(), result.rend(), [&](const Diagnosis &other) {
            return other.check == diagnosis.check;
        });
        result.insert(last == result.rend() ? result.end() : last.base(), diagnosis);
    }
    return result;
}

std::string diagnoses_table(const Diagnoses &diagnoses, bool header, bool coloured) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"CHECK", "WHERE", "RESULT", "WHAT"});
    for (const Diagnosis &diagnosis : diagnoses)
        lines.push_back({diagnosis.check, printable(ranged(diagnosis.where)),
                         diagnosis.ok() ? Span("ok") : Span("WRONG", Style::wrong),
                         printable(diagnosis.what + (diagnosis.ok() ? "" : ". " + diagnosis.fix))});
    return lay_out(lines, {false, false, false, false}, coloured);
}

std::string encode(const Diagnoses &diagnoses) {
    wire::Json rows = wire::Json::array();
    for (const Diagnosis &diagnosis : diagnoses)
        rows.push_back({{"check", diagnosis.check},
                        {"where", diagnosis.where},
                        {"ok", diagnosis.ok()},
                        {"what", diagnosis.what},
                        {"fix", diagnosis.fix}});
    return wire::wrap("checks", std::move(rows));
}

} // namespace vmall::vmctl

// SPDX-License-Identifier: GPL-2.0-or-later
//
// What one check of an installation has found.
#include "tools/vmctl/finding.hpp"

#include "control/fields.hpp"
#include "tools/vmctl/layout.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vmall::vmctl {

Findings merged(const Findings &findings) {
    Findings result;
    for (const Finding &finding : findings) {
        const auto same = std::find_if(result.begin(), result.end(), [&](const Finding &other) {
            return other.check == finding.check && other.what == finding.what &&
                   other.fix == finding.fix;
        });
        if (same != result.end()) {
            same->where.insert(same->where.end(), finding.where.begin(), finding.where.end());
            continue;
        }
        const auto last = std::find_if(result.rbegin(), result.rend(), [&](const Finding &other) {
            return other.check == finding.check;
        });
        result.insert(last == result.rend() ? result.end() : last.base(), finding);
    }
    return result;
}

std::string findings_table(const Findings &findings, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"CHECK", "WHERE", "RESULT", "WHAT"});
    for (const Finding &finding : findings)
        lines.push_back({finding.check, printable(ranged(finding.where)),
                         finding.ok() ? "ok" : "WRONG",
                         printable(finding.what + (finding.ok() ? "" : ". " + finding.fix))});
    return lay_out(lines, {false, false, false, false});
}

std::string encode(const Findings &findings) {
    control::Json rows = control::Json::array();
    for (const Finding &finding : findings)
        rows.push_back({{"check", finding.check},
                        {"where", finding.where},
                        {"ok", finding.ok()},
                        {"what", finding.what},
                        {"fix", finding.fix}});
    return control::wrap("checks", std::move(rows));
}

} // namespace vmall::vmctl

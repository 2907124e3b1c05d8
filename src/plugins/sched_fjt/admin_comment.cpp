// SPDX-License-Identifier: GPL-2.0-or-later
//
// The note is found by its form.
#include "plugins/sched_fjt/admin_comment.hpp"

#include <regex>

namespace vmall::sched {

std::string with_note(const std::string &comment, policy::JobClass job_class, int mpl,
                      std::uint64_t folds) {
    const std::string note = std::string("vmall: class=") +
                             (job_class == policy::JobClass::short_job ? "short" : "long") +
                             " mpl=" + std::to_string(mpl) + " folds=" + std::to_string(folds);
    static const std::regex form("vmall: class=(short|long) mpl=[0-9]+ folds=[0-9]+");
    std::smatch found;
    if (std::regex_search(comment, found, form))
        return found.prefix().str() + note + found.suffix().str();
    return comment.empty() ? note : comment + "; " + note;
}

} // namespace vmall::sched

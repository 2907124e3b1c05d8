// SPDX-License-Identifier: GPL-2.0-or-later
//
// As command lines are checked before anything is done.
#include "tools/vmctl/arguments.hpp"

#include "tools/vmctl/address.hpp"
#include "tools/vmctl/job_name.hpp"
#include "tools/vmctl/since.hpp"

#include <ctime>
#include <stdexcept>

namespace vmall::vmctl {

std::string check_address(const std::string &text) {
    try {
        parse_address(text);
        return "";
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
}

std::string check_job(const std::string &text) {
    try {
        parse_job_name(text);
        return "";
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
}

std::string check_setting(const std::string &text) {
    const std::size_t equals = text.find('=');
    return equals == std::string::npos || equals == 0 ? text + " is not KEY=VALUE" : "";
}

std::string check_since(const std::string &text) {
    try {
        parse_since(text, std::time(nullptr));
        return "";
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
}

} // namespace vmall::vmctl

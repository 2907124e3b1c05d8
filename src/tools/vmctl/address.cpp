// SPDX-License-Identifier: GPL-2.0-or-later
//
// HOST[:PORT] as people type it.
#include "tools/vmctl/address.hpp"

#include <charconv>
#include <stdexcept>

namespace vmall::vmctl {

namespace {

constexpr int highest_port = 65535;

int parse_port(const std::string &text) {
    int port = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, port);
    if (error != std::errc() || stop != end || port < 1 || port > highest_port)
        throw std::invalid_argument("\"" + text + "\" is not a port");
    return port;
}

} // namespace

Address parse_address(const std::string &text) {
    const bool bracketed = !text.empty() && text.front() == '[';
    const std::size_t bracket = text.find(']');
    if (bracketed && bracket == std::string::npos)
        throw std::invalid_argument("\"" + text + "\" has no \"]\"");
    const std::size_t colon = text.find(':', bracketed ? bracket : 0);
    // Several colons without brackets are an IPv6 address.
    const bool has_port = colon != std::string::npos && text.rfind(':') == colon;
    std::string host = has_port ? text.substr(0, colon) : text;
    if (bracketed) {
        if (bracket + 1 != host.size())
            throw std::invalid_argument("\"" + text + "\" has something after \"]\"");
        host = host.substr(1, bracket - 1);
    }
    if (host.empty())
        throw std::invalid_argument("\"" + text + "\" names no host");
    if (has_port)
        return {host, parse_port(text.substr(colon + 1))};
    return {host, std::nullopt};
}

} // namespace vmall::vmctl

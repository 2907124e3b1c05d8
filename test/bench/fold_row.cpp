// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rows as lines of text.
#include "fold_row.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace vmall::bench {
namespace {

constexpr const char *head = "table,program,grain_us,mpl,side,ranks,cpus,values,state,note";
constexpr std::size_t state_field = 8, fields_of_a_line = 10;
constexpr std::array<const char *, 4> state_names{"measured", "over", "skipped", "failed"};

const char *name_of(State state) {
    return state_names[static_cast<std::size_t>(state)];
}

// The first line, without what would end the field.
std::string as_field(const std::string &text) {
    std::string field;
    for (const char c : text.substr(0, text.find('\n')))
        field += c == ',' || c == '"' || c == '\r' ? ';' : c;
    return field;
}

std::string key_of(const std::string &table, const std::string &program,
                   const std::string &grain_us, const std::string &mpl, const std::string &side) {
    return table + ',' + program + ',' + grain_us + ',' + mpl + ',' + side;
}

std::string key_of(const Row &row) {
    return key_of(row.table, as_field(row.program), std::to_string(row.grain_us),
                  std::to_string(row.mpl), row.side);
}

std::vector<std::string> split(const std::string &line) {
    std::vector<std::string> fields;
    std::istringstream in(line + ',');
    for (std::string field; std::getline(in, field, ',');)
        fields.push_back(field);
    return fields;
}

std::string line_of(const Row &row) {
    std::ostringstream line;
    line << key_of(row) << ',' << row.ranks << ',' << row.cpus << ',';
    for (std::size_t i = 0; i < row.values.size(); ++i)
        line << (i == 0 ? "" : ";") << row.values[i];
    line << ',' << name_of(row.state) << ',' << as_field(row.note);
    return line.str();
}

} // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print(const Row &row, std::ostream &out) {
    char text[160];
    std::snprintf(text, sizeof text, "%-10s %-22s mpl %d  %-18s", row.table.c_str(),
                  row.program.c_str(), row.mpl, row.side.c_str());
    out << text;
    if (row.state == State::over) {
        out << " > " << row.values.front();
    } else if (row.state == State::measured && !row.values.empty()) {
        const auto [lowest, highest] = std::minmax_element(row.values.begin(), row.values.end());
        std::snprintf(text, sizeof text, " %8.3f (%.3f to %.3f) of %zu", median(row.values),
                      *lowest, *highest, row.values.size());
        out << text;
    } else if (row.state != State::measured) {
        out << ' ' << (row.state == State::failed ? "FAILED" : name_of(row.state)) << ':';
    }
    out << (row.note.empty() ? "" : " ") << as_field(row.note) << std::endl;
}

Record::Record(std::string path) : path_(std::move(path)) {
    std::ifstream in(path_);
    std::string line;
    if (path_.empty() || !std::getline(in, line))
        return;
    if (line != head)
        throw std::runtime_error(path_ + " is of another version of the bench: remove it");
    for (int number = 2; std::getline(in, line); ++number) {
        const std::vector<std::string> fields = split(line);
        if (fields.size() != fields_of_a_line)
            throw std::runtime_error(path_ + ", line " + std::to_string(number) + ": " +
                                     std::to_string(fields.size()) + " fields");
        if (fields[state_field] != name_of(State::failed))
            keys_.insert(key_of(fields[0], fields[1], fields[2], fields[3], fields[4]));
    }
}

bool Record::has(const Row &row) const {
    return keys_.count(key_of(row)) != 0;
}

void Record::add(const Row &row) {
    keys_.insert(key_of(row));
    if (path_.empty())
        return;
    std::ofstream out(path_, std::ios::app | std::ios::ate);
    if (out.tellp() == 0)
        out << head << '\n';
    out << line_of(row) << '\n' << std::flush;
    if (!out)
        throw std::runtime_error("cannot write " + path_);
}

} // namespace vmall::bench

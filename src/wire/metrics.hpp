// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the controller counts and measures, for Prometheus: its data model, without its text.
// Decoding is as strict as that of messages.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vmall::wire {

enum class MetricType {
    counter, // since the controller started; never falls until it starts again
    gauge,
    histogram
};

// How many values were at most `highest`: ascending with it.
struct Bucket {
    double highest = 0;
    std::uint64_t count = 0;
};

struct Sample {
    std::map<std::string, std::string> labels;
    double value = 0; // of a histogram: the sum of its values
    // Of a histogram only. Without the bucket that has all.
    std::uint64_t count = 0;
    std::vector<Bucket> buckets = {};
};

struct MetricFamily {
    std::string name; // as Prometheus accepts it, like those of labels
    MetricType type = MetricType::counter;
    std::string help; // one sentence for people
    std::vector<Sample> samples;
};

std::string encode(const std::vector<MetricFamily> &metrics);
// Throws QueryRefused if the answer is an error.
std::vector<MetricFamily> decode_metrics(const std::string &json);

} // namespace vmall::wire

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Metrics to and from JSON.
#include "wire/metrics.hpp"

#include "wire/fields.hpp"
#include "wire/rows_json.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::wire {

namespace {

constexpr auto highest_counter = std::numeric_limits<std::uint64_t>::max();

const char *name_of(MetricType type) {
    switch (type) {
    case MetricType::counter:
        return "counter";
    case MetricType::gauge:
        return "gauge";
    case MetricType::histogram:
        break;
    }
    return "histogram";
}

Json to_json(const Sample &sample, MetricType type) {
    Json labels = Json::object();
    for (const auto &[name, value] : sample.labels)
        labels[name] = value;
    Json json = {{"labels", std::move(labels)}, {"value", sample.value}};
    if (type != MetricType::histogram)
        return json;
    Json buckets = Json::array();
    for (const Bucket &bucket : sample.buckets)
        buckets.push_back({{"highest", bucket.highest}, {"count", bucket.count}});
    json["count"] = sample.count;
    json["buckets"] = std::move(buckets);
    return json;
}

bool is_name(const std::string &text) {
    const auto is_letter = [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::map<std::string, std::string> read_labels(const Json &sample, const Fields &fields) {
    const auto found = sample.find("labels");
    if (found == sample.end() || !found->is_object())
        fields.fail("labels", "is not an object");
    std::map<std::string, std::string> labels;
    for (const auto &[name, value] : found->items()) {
        if (!is_name(name) || !value.is_string())
            fields.fail("labels", "has something that is not a label");
        labels.emplace(name, value.get<std::string>());
    }
    return labels;
}

std::vector<Bucket> read_buckets(const Fields &sample, std::uint64_t count) {
    std::vector<Bucket> buckets;
    for (const Json &entry : sample.list("buckets")) {
        const Fields fields(entry, "bucket");
        const std::uint64_t least = buckets.empty() ? 0 : buckets.back().count;
        const Bucket bucket{fields.real("highest"), fields.number("count", least, count)};
        if (!buckets.empty() && bucket.highest <= buckets.back().highest)
            fields.fail("highest", "is not above that of the bucket before");
        buckets.push_back(bucket);
    }
    return buckets;
}

Sample read_sample(const Json &entry, MetricType type) {
    const Fields fields(entry, "sample");
    Sample sample{read_labels(entry, fields), fields.real("value")};
    if (type == MetricType::histogram) {
        sample.count = fields.number("count", 0, highest_counter);
        sample.buckets = read_buckets(fields, sample.count);
    }
    return sample;
}

MetricFamily read_family(const Json &entry) {
    const Fields fields(entry, "metric");
    MetricFamily family;
    family.name = fields.text("name");
    if (!is_name(family.name))
        fields.fail("name", "is not a name");
    family.type = choose(fields, "type",
                         {MetricType::counter, MetricType::gauge, MetricType::histogram}, name_of);
    family.help = fields.text("help");
    for (const Json &sample : fields.list("samples"))
        family.samples.push_back(read_sample(sample, family.type));
    return family;
}

} // namespace

std::string encode(const std::vector<MetricFamily> &metrics) {
    Json families = Json::array();
    for (const MetricFamily &family : metrics) {
        Json samples = Json::array();
        for (const Sample &sample : family.samples)
            samples.push_back(to_json(sample, family.type));
        families.push_back({{"name", family.name},
                            {"type", name_of(family.type)},
                            {"help", family.help},
                            {"samples", std::move(samples)}});
    }
    return wrap("metrics", std::move(families));
}

std::vector<MetricFamily> decode_metrics(const std::string &json) {
    return read_list(json, "metrics", read_family);
}

} // namespace vmall::wire

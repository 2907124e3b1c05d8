// SPDX-License-Identifier: GPL-2.0-or-later
//
// Our metrics as those of prometheus-cpp, which writes them.
#include "tools/vmctl/exposition.hpp"

#include <prometheus/text_serializer.h>

#include <limits>
#include <utility>

namespace vmall::vmctl {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

MetricType type_of(wire::MetricType type) {
    switch (type) {
    case wire::MetricType::counter:
        return MetricType::Counter;
    case wire::MetricType::gauge:
        return MetricType::Gauge;
    case wire::MetricType::histogram:
        break;
    }
    return MetricType::Histogram;
}

ClientMetric::Histogram histogram_of(const wire::Sample &sample) {
    ClientMetric::Histogram histogram;
    histogram.sample_count = sample.count;
    histogram.sample_sum = sample.value;
    for (const wire::Bucket &bucket : sample.buckets)
        histogram.bucket.push_back({bucket.count, bucket.highest});
    histogram.bucket.push_back({sample.count, std::numeric_limits<double>::infinity()});
    return histogram;
}

ClientMetric metric_of(const wire::Sample &sample, wire::MetricType type) {
    ClientMetric metric;
    for (const auto &[name, value] : sample.labels)
        metric.label.push_back({name, value});
    metric.counter.value = metric.gauge.value = sample.value;
    if (type == wire::MetricType::histogram)
        metric.histogram = histogram_of(sample);
    return metric;
}

prometheus::MetricFamily up(double value) {
    prometheus::MetricFamily family{
        "slurm_vm_up",
        "Whether the controller's plugin answers, or slurmctld with mode=node.",
        MetricType::Gauge,
        {}};
    family.metric.emplace_back().gauge.value = value;
    return family;
}

} // namespace

std::vector<prometheus::MetricFamily> families_of(const std::vector<wire::MetricFamily> &metrics) {
    std::vector<prometheus::MetricFamily> families{up(1)};
    for (const wire::MetricFamily &metric : metrics) {
        prometheus::MetricFamily family{metric.name, metric.help, type_of(metric.type), {}};
        for (const wire::Sample &sample : metric.samples)
            family.metric.push_back(metric_of(sample, metric.type));
        families.push_back(std::move(family));
    }
    return families;
}

std::vector<prometheus::MetricFamily> families_without_answer() {
    return {up(0)};
}

std::string exposition(const std::vector<prometheus::MetricFamily> &families) {
    return prometheus::TextSerializer().Serialize(families);
}

} // namespace vmall::vmctl

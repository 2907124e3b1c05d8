// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small random workloads, machines and policies.
#include "random_case.hpp"

#include <algorithm>

using namespace vmall::policy;
using namespace vmall::sim;

namespace {

std::string described(std::uint32_t seed, const Settings &settings) {
    std::string text = "seed " + std::to_string(seed) + ", " + settings.queue_discipline->name +
                       ", " + settings.sizing->name + ", " + settings.window_policy->name +
                       "; order, MPL, rule, window MPL:";
    for (const int choice : {static_cast<int>(settings.backfill_order), settings.max_mpl,
                             static_cast<int>(settings.window_rule), settings.window_mpl})
        text += ' ' + std::to_string(choice);
    return text;
}

} // namespace

int RandomCase::between(int least, int most) {
    return least + static_cast<int>(engine() % static_cast<std::uint64_t>(most - least + 1));
}

template <typename Piece>
Chosen<Piece> RandomCase::piece() {
    const auto &all = rows<Piece>();
    return all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
}

Settings RandomCase::settings() {
    Settings settings;
    settings.queue_discipline = one_in(2) ? "easy" : piece<Discipline>();
    settings.backfill_order = one_in(2) ? BackfillOrder::arrival : BackfillOrder::shortest;
    settings.sizing = one_in(3) ? "fjt" : piece<SizingPolicy>();
    settings.max_mpl = between(1, highest_mpl);
    settings.window_policy = piece<ExpiryPolicy>();
    settings.window_rule = static_cast<WindowRule>(between(0, 2));
    settings.window_mpl = one_in(2) ? highest_mpl : between(1, highest_mpl);
    settings.sharing.default_level = between(1, 4);
    settings.sharing.target_efficiency = between(0, 10) / 10.0;
    settings.sharing.step = between(1, 3);
    settings.sharing.one_processor = one_in(2) ? OneProcessor::zero : OneProcessor::unknown;
    return settings;
}

// As many nodes as the largest size needs have enough cores for every size.
Job RandomCase::job(std::uint32_t id, int nodes, int cores) {
    Job job;
    job.id = id;
    job.job_class = one_in(2) ? JobClass::long_job : JobClass::short_job;
    job.virtually_malleable = !one_in(4);
    for (int count = job.virtually_malleable ? between(1, 4) : 1; count > 0; count--)
        job.sizes.add(between(1, nodes * cores));
    job.runtime = one_in(3) ? between(1, 60) * 1000 : between(1, 60'000);
    job.runtime_processes = job.sizes.at(between(0, job.sizes.count() - 1));
    job.malleable = job.virtually_malleable && one_in(4);
    job.speedup = one_in(2) ? amdahl_speedup(0.25) : nullptr;
    job.estimate = one_in(8) ? 0 : between(1, 40);
    job.time_limit = one_in(4) ? std::max<Seconds>(job.estimate, 1) * between(1, 8) : 0;
    return job;
}

Case RandomCase::any() {
    Case result;
    const int nodes = between(1, 3);
    const int cores = between(1, 8);
    result.machine.cores.assign(nodes, cores);
    result.options.policy = settings();
    result.options.record_allotments = true;
    result.options.folding_cost.by_mpl = {1, 1.25, 1.5, 2};
    result.options.resize_latency = one_in(2) ? 0 : between(1, 2500);
    Milliseconds time = 0;
    const bool burst = one_in(3);
    for (std::uint32_t id = 1, count = between(1, 20); id <= count; id++) {
        time += burst ? 0 : between(0, 5'000);
        result.workload.jobs.push_back(job(id, nodes, cores));
        result.workload.jobs.back().submit = time;
    }
    result.text = described(seed, result.options.policy);
    return result;
}

Case RandomCase::with_sound_estimates(QueueDiscipline discipline, bool exact) {
    Case result;
    const int cores = between(1, 8);
    result.machine.cores = {cores};
    result.options.policy.queue_discipline = discipline;
    result.options.policy.sizing = "rigid";
    result.options.policy.window_policy = "keep";
    result.options.record_allotments = true;
    Milliseconds time = 0;
    for (std::uint32_t id = 1, count = between(1, 20); id <= count; id++) {
        time += between(0, 10) * 1000;
        Job job;
        job.id = id;
        job.submit = time;
        job.sizes = {between(1, cores)};
        job.runtime_processes = job.sizes.smallest();
        job.estimate = between(1, 60);
        job.runtime = (exact ? job.estimate : between(1, static_cast<int>(job.estimate))) * 1000;
        result.workload.jobs.push_back(job);
    }
    result.text = described(seed, result.options.policy);
    return result;
}

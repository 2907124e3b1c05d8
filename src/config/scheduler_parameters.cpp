// SPDX-License-Identifier: GPL-2.0-or-later
//
// One row for each of Slurm's parameters.
#include "config/scheduler_parameters.hpp"

#include <algorithm>

namespace vmall::config {

namespace {

bool is_for_others(std::string_view name) {
    const auto &all = scheduler_parameters();
    return std::any_of(all.begin(), all.end(), [name](const SchedulerParameter &parameter) {
        return parameter.name == name && parameter.effect == Effect::others;
    });
}

} // namespace

const std::vector<SchedulerParameter> &scheduler_parameters() {
    static const std::vector<SchedulerParameter> all{
        {"allow_zero_lic", Effect::all_jobs},
        {"assoc_limit_stop", Effect::others},
        {"batch_sched_delay", Effect::own_loops},
        {"bb_array_stage_cnt", Effect::all_jobs},
        {"bf_allow_magnetic_slot", Effect::own_loops},
        {"bf_busy_nodes", Effect::others},
        {"bf_continue", Effect::own_loops},
        {"bf_hetjob_immediate", Effect::own_loops},
        {"bf_hetjob_prio", Effect::own_loops},
        {"bf_interval", Effect::own_loops},
        {"bf_job_part_count_reserve", Effect::others},
        {"bf_licenses", Effect::others},
        {"bf_max_job_array_resv", Effect::own_loops},
        {"bf_max_job_assoc", Effect::others},
        {"bf_max_job_part", Effect::others},
        {"bf_max_job_start", Effect::others},
        {"bf_max_job_test", Effect::own_loops},
        {"bf_max_job_user", Effect::others},
        {"bf_max_job_user_part", Effect::others},
        {"bf_max_time", Effect::own_loops},
        {"bf_min_age_reserve", Effect::others},
        {"bf_min_prio_reserve", Effect::others},
        {"bf_node_space_size", Effect::own_loops},
        {"bf_one_resv_per_job", Effect::own_loops},
        {"bf_resolution", Effect::own_loops},
        {"bf_running_job_reserve", Effect::own_loops},
        {"bf_topopt_enable", Effect::others},
        {"bf_topopt_iterations", Effect::others},
        {"bf_window", Effect::own_loops},
        {"bf_window_linear", Effect::own_loops},
        {"bf_yield_interval", Effect::own_loops},
        {"bf_yield_sleep", Effect::own_loops},
        {"build_queue_timeout", Effect::all_jobs},
        {"correspond_after_task_cnt", Effect::all_jobs},
        {"default_queue_depth", Effect::own_loops},
        {"defer", Effect::all_jobs},
        {"defer_batch", Effect::all_jobs},
        {"delay_boot", Effect::all_jobs},
        {"disable_hetjob_steps", Effect::all_jobs},
        {"disable_job_shrink", Effect::all_jobs},
        {"enable_hetjob_steps", Effect::all_jobs},
        {"enable_user_top", Effect::all_jobs},
        {"extra_constraints", Effect::all_jobs},
        {"ignore_constraint_validation", Effect::all_jobs},
        {"Ignore_NUMA", Effect::all_jobs},
        {"ignore_prefer_validation", Effect::all_jobs},
        {"max_array_tasks", Effect::all_jobs},
        {"max_rpc_cnt", Effect::own_loops},
        {"max_sched_time", Effect::own_loops},
        {"max_script_size", Effect::all_jobs},
        {"max_submit_line_size", Effect::all_jobs},
        {"max_switch_wait", Effect::all_jobs},
        {"no_backup_scheduling", Effect::all_jobs},
        {"no_env_cache", Effect::all_jobs},
        {"nohold_on_prolog_fail", Effect::all_jobs},
        {"pack_serial_at_end", Effect::all_jobs},
        {"partition_job_depth", Effect::own_loops},
        {"preempt_reorder_count", Effect::all_jobs},
        {"preempt_strict_order", Effect::all_jobs},
        {"preempt_youngest_first", Effect::all_jobs},
        {"reduce_completing_frag", Effect::others},
        {"requeue_setup_env_fail", Effect::all_jobs},
        {"salloc_wait_nodes", Effect::all_jobs},
        {"sbatch_wait_nodes", Effect::all_jobs},
        {"sched_interval", Effect::own_loops},
        {"sched_max_job_start", Effect::others},
        {"sched_min_interval", Effect::own_loops},
        {"spec_cores_first", Effect::all_jobs},
        {"step_retry_count", Effect::all_jobs},
        {"step_retry_time", Effect::all_jobs},
        {"time_min_as_soft_limit", Effect::others},
        {"whole_hetjob", Effect::all_jobs},
    };
    return all;
}

std::vector<std::string> without_effect(std::string_view text) {
    std::vector<std::string> found;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        if (is_for_others(one.substr(0, one.find('='))))
            found.emplace_back(one);
    }
    return found;
}

} // namespace vmall::config

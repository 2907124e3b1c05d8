// SPDX-License-Identifier: GPL-2.0-or-later
//
// The queue disciplines of Corbalan's thesis ch. 6 through the one door: who starts, shrinks and
// grows when.
#include "run.hpp"
#include "situation.hpp"

#include <algorithm>
#include <random>

namespace {

using namespace situation;
using policy::QueueDiscipline;

policy::Settings sharing(QueueDiscipline discipline, int default_level = 4) {
    policy::Settings settings;
    settings.queue_discipline = discipline;
    settings.max_mpl = 4;
    settings.sharing.default_level = default_level;
    return settings;
}

const auto equipartition = sharing("equipartition");
const auto equip = sharing("equip++", 2);
const auto equal_efficiency = sharing("equal-efficiency");
const auto equal_eff = sharing("equal-eff++", 2);

policy::WaitingJob openmp(std::uint32_t id, int threads) {
    auto job = long_job(id, {threads});
    job.malleable = true;
    return job;
}

policy::RunningJob running_openmp(std::uint32_t id, int threads, std::vector<int> cores,
                                  std::vector<policy::MeasuredSpeedup> measured = {}) {
    auto job = running_long(id, threads, std::move(cores));
    job.malleable = true;
    job.measured = std::move(measured);
    return job;
}

policy::WaitingJob refused(policy::WaitingJob job) {
    job.refused = true;
    return job;
}

// For whom the jobs are folded; 0: for nobody.
std::vector<std::uint32_t> room_is_made_for(const policy::Snapshot &snapshot,
                                            const policy::Settings &settings) {
    std::vector<std::uint32_t> result;
    for (const policy::Action &action : policy::decide(snapshot, settings))
        if (const auto *resize = std::get_if<policy::Resize>(&action))
            result.push_back(resize->makes_room_for ? resize->makes_room_for->value : 0);
    return result;
}

struct Row {
    const char *name;
    policy::Settings settings;
    policy::Snapshot snapshot;
    std::string expected;
};

const Row rows[] = {
    {"arrival at an idle machine: has what it requests", equipartition,
     snapshot({60}, {}, {openmp(1, 30)}), "start 1: 30 on 1x30 on node 0\n"},
    {"arrivals up to the level: equal parts, the next one waits", equipartition,
     snapshot({60}, {}, {openmp(1, 30), openmp(2, 30), openmp(3, 2), openmp(4, 30), openmp(5, 2)}),
     "start 1: 30 on 1x20 on node 0\n"
     "start 2: 30 on 1x19 on node 0\n"
     "start 3: 2 on 1x2 on node 0\n"
     "start 4: 30 on 1x19 on node 0\n"
     "wait 5: waits for the multiprogramming level to allow it\n"},
    {"arrival at a full machine: the others shrink first", equipartition,
     snapshot({60}, {running_openmp(1, 30, {30}), running_openmp(2, 30, {30})}, {openmp(3, 30)}),
     "resize 1: 0:20\nresize 2: 0:20\nwait 3: waits for cores that are being freed\n"},
    {"arrival with some processors free: starts on these, the others shrink", equipartition,
     snapshot({60}, {running_openmp(1, 40, {40}), running_openmp(2, 15, {15})}, {openmp(3, 30)}),
     "resize 1: 0:23\nstart 3: 30 on 1x5 on node 0\n"},
    {"the others have shrunk: starts", equipartition,
     snapshot({60}, {running_openmp(1, 30, {20}), running_openmp(2, 30, {20})}, {openmp(3, 30)}),
     "start 3: 30 on 1x20 on node 0\n"},
    {"a shrink is not confirmed: nothing is done", equipartition,
     snapshot({60},
              {resizing(running_openmp(1, 30, {30}), {{{0}, 20}}), running_openmp(2, 30, {30})},
              {openmp(3, 30)}),
     "wait 3: waits for the multiprogramming level to allow it\n"},
    {"departure: the others grow", equipartition,
     snapshot({60}, {running_openmp(1, 60, {20}), running_openmp(2, 60, {20})}, {}),
     "resize 1: 0:30\nresize 2: 0:30\n"},
    {"nothing to change: nothing decided", equipartition,
     snapshot({60}, {running_openmp(1, 30, {30}), running_openmp(2, 30, {30})}, {}), ""},
    {"head refused: it holds nobody up", equipartition,
     snapshot({60}, {running_openmp(1, 60, {30})}, {refused(openmp(2, 30)), openmp(3, 30)}),
     "wait 2: was refused by the resource manager\nstart 3: 30 on 1x30 on node 0\n"},
    {"head refused that cannot share: nor does such a one", equipartition,
     snapshot({60}, {}, {refused(rigid(1, 30)), rigid(2, 20), openmp(3, 60)}),
     "start 2: 20 anyhow on node 0\nwait 1: was refused by the resource manager\n"
     "start 3: 60 on 1x40 on node 0\n"},
    {"all refused: the others share", equipartition,
     snapshot({60}, {running_openmp(1, 60, {30})}, {refused(openmp(2, 30))}),
     "wait 2: was refused by the resource manager\nresize 1: 0:60\n"},

    {"every node is shared on its own", equipartition,
     snapshot({8, 8}, {running_openmp(1, 8, {8, 0})}, {openmp(2, 8), openmp(3, 8)}),
     "resize 1: 0:4\nwait 3: waits for cores that are being freed\n"
     "start 2: 8 on 1x8 on node 1\n"},
    {"only on nodes it is eligible for", equipartition,
     [] {
         auto job = openmp(2, 8);
         job.eligible = {{0}};
         return snapshot({8, 8}, {running_openmp(1, 8, {8, 0})}, {job});
     }(),
     "resize 1: 0:4\nwait 2: waits for cores that are being freed\n"},

    {"virtually malleable jobs fold: as many cores as an MPL needs", equipartition,
     snapshot({20}, {running_long(1, 16, {16})}, {long_job(2, {16})}),
     "resize 1: 0:8\nstart 2: 16 on 1x4 mpl 4 on node 0\n"},
    {"virtually malleable jobs fold no deeper than allowed", sharing("equipartition", 9),
     snapshot({8}, {running_long(1, 16, {4}), running_long(2, 16, {4})}, {long_job(3, {8})}),
     "wait 3: waits for the multiprogramming level to allow it\n"},
    {"a job that cannot share keeps what it has", equipartition,
     snapshot({60}, {running(1, {20}), running_openmp(2, 60, {40})}, {openmp(3, 60)}),
     "resize 2: 0:20\nwait 3: waits for cores that are being freed\n"},
    {"a job that cannot share waits: nobody grows into what it waits for", equipartition,
     snapshot({60}, {running_openmp(1, 60, {30}), running_openmp(2, 10, {10})}, {rigid(3, 30)}),
     "wait 3: waits for 30 cores\n"},
    {"a job that cannot share starts in its turn, the rest is shared", equipartition,
     snapshot({60}, {}, {rigid(1, 30), openmp(2, 60)}),
     "start 1: 30 anyhow on node 0\nstart 2: 60 on 1x30 on node 0\n"},

    {"equip++: measured below the target gives up one", equip,
     snapshot({60}, {running_openmp(1, 30, {30}, {{30, 20}}), running_openmp(2, 60, {30})}, {}),
     "resize 1: 0:29\n"},
    {"equip++: which the other has once it is free", equip,
     snapshot({60}, {running_openmp(1, 30, {29}, {{30, 20}}), running_openmp(2, 60, {30})}, {}),
     "resize 2: 0:31\n"},
    {"equip++: stable with free processors, starts another above the level", equip,
     snapshot({60},
              {running_openmp(1, 30, {20}, {{21, 14}, {20, 15}}),
               running_openmp(2, 30, {30}, {{30, 29}})},
              {openmp(3, 30), openmp(4, 30)}),
     "resize 2: 0:20\nstart 3: 30 on 1x10 on node 0\n"
     "wait 4: waits for the multiprogramming level to allow it\n"},
    {"equip++: one has not measured yet, nobody starts", equip,
     snapshot({60},
              {running_openmp(1, 30, {20}, {{21, 14}}), running_openmp(2, 30, {30}, {{30, 29}})},
              {openmp(3, 30)}),
     "wait 3: waits for the multiprogramming level to allow it\n"},
    {"equipartition never goes above the level", sharing("equipartition", 2),
     snapshot({60},
              {running_openmp(1, 20, {20}, {{20, 20}}), running_openmp(2, 30, {30}, {{30, 29}})},
              {openmp(3, 30)}),
     "wait 3: waits for the multiprogramming level to allow it\n"},
    {"equal_efficiency: moves processors to the more efficient", equal_efficiency,
     snapshot({60},
              {running_openmp(1, 50, {30}, {{30, 12}}), running_openmp(2, 50, {30}, {{30, 29.5}})},
              {}),
     "resize 1: 0:10\n"},
    {"equal_eff++: keeps to the target", equal_eff,
     snapshot({60},
              {running_openmp(1, 50, {30}, {{30, 12}}), running_openmp(2, 50, {30}, {{30, 29.5}})},
              {}),
     "resize 1: 0:9\n"},
};

START_TEST(decides) {
    const Row &row = rows[_i];
    const std::string decided = to_text(policy::decide(row.snapshot, row.settings));
    ck_assert_msg(decided == row.expected, "%s\ndecided:\n%sexpected:\n%s", row.name,
                  decided.c_str(), row.expected.c_str());
}
END_TEST

// Slurm is asked first whether that one would start then.
START_TEST(a_fold_says_for_whom_it_is) {
    const auto full = running_openmp(1, 60, {60});
    ck_assert(room_is_made_for(snapshot({60}, {full}, {refused(openmp(2, 30)), openmp(3, 30)}),
                               equipartition) == std::vector<std::uint32_t>{3});
    const auto inefficient = running_openmp(1, 30, {30}, {{30, 20}});
    const auto other = running_openmp(2, 30, {30});
    ck_assert(room_is_made_for(snapshot({60}, {inefficient, other}, {openmp(3, 30)}), equip) ==
              std::vector<std::uint32_t>{0});
}
END_TEST

// Carries decisions out at once, on nodes of 16 cores, and lets jobs measure an Amdahl speed-up
// whenever nothing is decided.
class Machine {
  public:
    Machine(const policy::Settings &settings_, policy::Snapshot situation)
        : settings(settings_), state(std::move(situation)) {}

    // Until every job has run: the one that arrived first of those running ends whenever also
    // measurements change nothing.
    void run() {
        while (!state.waiting.empty() || !state.running.empty()) {
            come_to_rest();
            const auto before = allotments();
            measure();
            come_to_rest();
            if (allotments() == before) {
                ck_assert_msg(!state.running.empty(), "a job waits for ever");
                release(state.running.front().allotment);
                state.running.erase(state.running.begin());
            }
        }
    }

  private:
    void come_to_rest() {
        for (int round = 0; decide(); round++)
            ck_assert_msg(round < 50, "never comes to rest");
    }

    bool decide() {
        bool any = false;
        for (const auto &action : policy::decide(state, settings)) {
            if (const auto *start = std::get_if<policy::Start>(&action)) {
                carry_out(*start);
                any = true;
            } else if (const auto *resize = std::get_if<policy::Resize>(&action)) {
                carry_out(*resize);
                any = true;
            }
        }
        return any;
    }

    void carry_out(const policy::Start &start) {
        const auto job = std::find_if(state.waiting.begin(), state.waiting.end(),
                                      [&](const auto &one) { return one.id == start.id; });
        ck_assert(job != state.waiting.end());
        auto running = running_long(job->id.value, start.processes, {});
        running.virtually_malleable = running.resizable = job->virtually_malleable;
        running.malleable = job->malleable;
        const auto node = start.on.front();
        const int cores = start.nodes == 0 ? start.processes : start.cores_per_node;
        running.allotment = {{node, cores}};
        take(running.allotment);
        state.waiting.erase(job);
        state.running.push_back(running);
    }

    void carry_out(const policy::Resize &resize) {
        const auto job = std::find_if(state.running.begin(), state.running.end(),
                                      [&](const auto &one) { return one.id == resize.id; });
        ck_assert(job != state.running.end());
        ck_assert_int_ge(resize.target.front().cores, 1);
        ck_assert_int_le(resize.target.front().cores, job->processes);
        release(job->allotment);
        job->allotment = resize.target;
        take(job->allotment);
    }

    void take(const policy::CoreCounts &allotment) {
        int &free = state.nodes[allotment.front().node.value].free;
        free -= allotment.front().cores;
        ck_assert_int_ge(free, 0);
    }

    void release(const policy::CoreCounts &allotment) {
        state.nodes[allotment.front().node.value].free += allotment.front().cores;
    }

    std::vector<policy::CoreCounts> allotments() const {
        std::vector<policy::CoreCounts> result;
        for (const auto &job : state.running)
            result.push_back(job.allotment);
        return result;
    }

    void measure() {
        for (auto &job : state.running) {
            const int cores = job.allotment.front().cores;
            const double serial = (job.id.value * 7 % 10) / 20.0;
            job.measured.push_back({cores, 1 / (serial + (1 - serial) / cores)});
        }
    }

    policy::Settings settings;
    policy::Snapshot state;
};

const policy::Settings all_of_them[] = {sharing("equipartition"), sharing("equip++", 2),
                                        sharing("equal-efficiency"), sharing("equal-eff++", 2)};

START_TEST(any_situation_comes_to_rest_and_every_job_runs) {
    std::mt19937_64 random(1);
    const auto up_to = [&](int most) { return 1 + static_cast<int>(random() % most); };
    for (int run = 0; run < 100; run++) {
        std::vector<policy::WaitingJob> jobs;
        const int count = up_to(12);
        for (int id = 1; id <= count; id++) {
            auto job = up_to(4) == 1 ? rigid(id, up_to(16)) : openmp(id, up_to(16));
            job.malleable = job.virtually_malleable && up_to(3) > 1;
            job.max_nodes = 1;
            jobs.push_back(std::move(job));
        }
        Machine(all_of_them[_i], snapshot(std::vector<int>(up_to(2), 16), {}, jobs)).run();
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("space sharing");
    tcase_add_loop_test(tests, decides, 0, std::size(rows));
    tcase_add_test(tests, a_fold_says_for_whom_it_is);
    tcase_add_loop_test(tests, any_situation_comes_to_rest_and_every_job_runs, 0,
                        std::size(all_of_them));
    return run("space sharing", tests);
}

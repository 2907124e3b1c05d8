// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that nobody wrote on purpose: readers answer with an error or with jobs that make sense.
#include "scratch.hpp"
#include "sim/trace/generated_swf.hpp"
#include "sim/trace/read_workload.hpp"
#include "suites.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace {

using namespace vmall;

void check_sense(const sim::Workload &workload) {
    ck_assert_uint_gt(workload.jobs.size(), 0);
    std::set<std::uint32_t> ids;
    sim::Milliseconds last = 0;
    for (const sim::Job &job : workload.jobs) {
        ck_assert(ids.insert(job.id).second);
        ck_assert_uint_ge(job.id, 1);
        ck_assert_int_ge(job.submit, last);
        last = job.submit;
        ck_assert_int_ge(job.runtime, 0);
        ck_assert_int_ge(job.estimate, 0);
        ck_assert(!job.recorded_start || *job.recorded_start >= 0);
        ck_assert_int_ge(job.cores_per_process, 1);
        ck_assert(!job.sizes.empty() && job.sizes.smallest() >= 1);
        ck_assert_int_eq(job.sizes.largest(), job.runtime_processes);
    }
}

// 1 if it was read, 0 if it was refused.
int try_to_read(const std::string &path, bool lenient) {
    sim::ReadLog log;
    log.lenient = lenient;
    try {
        check_sense(sim::read_workload(path, {}, log));
        return 1;
    } catch (const sim::TraceError &error) {
        ck_assert_contains(std::string(error.what()), path);
        return 0;
    }
}

// Bytes changed, cut out, doubled.
std::string damaged(std::string text, sim::Random &random) {
    const auto below = [&](std::size_t limit) {
        return random.bits() % std::max<std::size_t>(limit, 1);
    };
    for (std::size_t times = 1 + below(4); times > 0 && !text.empty(); --times) {
        const std::size_t at = below(text.size());
        switch (below(5)) {
        case 0:
            text[at] = static_cast<char>(random.bits());
            break;
        case 1:
            text[at] = "-|;:.0192 \n\t"[below(12)];
            break;
        case 2:
            text.erase(at, 1 + below(20));
            break;
        case 3:
            text.insert(at, text.substr(below(text.size()), below(60)));
            break;
        default:
            text.resize(at);
        }
    }
    return text;
}

void try_damaged(const std::string &original, std::uint64_t seed) {
    const Scratch scratch;
    sim::Random random(seed);
    int read = 0, tried = 0;
    for (; tried < 400; ++tried) {
        const std::string path = scratch.file("F", damaged(original, random));
        read += try_to_read(path, tried % 2 == 0);
    }
    ck_assert_msg(read > 0 && read < tried, "%d of %d were read", read, tried);
}

START_TEST(damaged_swf) {
    sim::GeneratorSpec spec;
    spec.applications = sim::equal_shares(sim::thesis_applications(), 0.6, 0.2);
    spec.jobs = 30;
    std::ostringstream out;
    sim::write_generated_swf(out, spec, 1);
    try_damaged(out.str(), 1);
}
END_TEST

START_TEST(damaged_dumps_of_sacct) {
    try_damaged(read_file(FIXTURES "/sacct.txt"), 2);
}
END_TEST

START_TEST(damaged_compressed_files) {
    const Scratch scratch;
    try_damaged(read_file(scratch.gzip("Z", read_file(FIXTURES "/sacct.txt"))), 3);
}
END_TEST

START_TEST(random_bytes) {
    const Scratch scratch;
    sim::Random random(4);
    for (int i = 0; i < 200; ++i) {
        std::string bytes(random.bits() % 3000, '\0');
        for (char &byte : bytes)
            byte = static_cast<char>(random.bits());
        ck_assert_int_eq(try_to_read(scratch.file("F", bytes), i % 2 == 0), 0);
    }
}
END_TEST

} // namespace

TCase *hostile_tests() {
    TCase *tests = tcase_create("damaged files");
    tcase_add_test(tests, damaged_swf);
    tcase_add_test(tests, damaged_dumps_of_sacct);
    tcase_add_test(tests, damaged_compressed_files);
    tcase_add_test(tests, random_bytes);
    return tests;
}

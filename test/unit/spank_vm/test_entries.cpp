// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which entries stay when more numbers of jobs have been named than a node can have.
#include "spank_vm/agent/entries.hpp"

#include "run.hpp"

#include <algorithm>

using namespace vmall::agent;

namespace {

constexpr std::uint32_t bound = 4096;

bool has(Entries &entries, std::uint32_t job_id) {
    const auto all = entries.all();
    return std::any_of(all.begin(), all.end(),
                       [&](const auto &entry) { return entry.first == job_id; });
}

void name_many(Entries &entries) {
    for (std::uint32_t job_id = 1000; job_id < 1000 + bound + 10; ++job_id)
        entries.of(job_id);
}

START_TEST(an_entry_is_made_once) {
    Entries entries;
    ck_assert(entries.of(7) == entries.of(7));
    ck_assert(entries.of(7) != entries.of(8));
    ck_assert_uint_eq(entries.all().size(), 2);
}
END_TEST

START_TEST(those_of_which_nothing_is_known_go_when_there_are_many) {
    Entries entries;
    for (std::uint32_t job_id = 0; job_id < bound; ++job_id)
        entries.of(job_id);
    ck_assert_uint_eq(entries.all().size(), bound);
    entries.of(bound);
    ck_assert_uint_eq(entries.all().size(), bound);
    ck_assert(!has(entries, 0));
    ck_assert(has(entries, bound));
}
END_TEST

START_TEST(an_entry_that_somebody_has_stays) {
    Entries entries;
    const std::shared_ptr<Entry> held = entries.of(7);
    name_many(entries);
    ck_assert(entries.of(7) == held);
}
END_TEST

START_TEST(damage_stays_known) {
    Entries entries;
    entries.of(7)->known.damage("cannot be read");
    name_many(entries);
    ck_assert(has(entries, 7));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("entries");
    tcase_add_test(tests, an_entry_is_made_once);
    tcase_add_test(tests, those_of_which_nothing_is_known_go_when_there_are_many);
    tcase_add_test(tests, an_entry_that_somebody_has_stays);
    tcase_add_test(tests, damage_stays_known);
    return run("entries", tests);
}

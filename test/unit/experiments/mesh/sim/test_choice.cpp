// SPDX-License-Identifier: GPL-2.0-or-later
//
// The names of the mesh policies.
#include "experiments/mesh/sim/choice.hpp"
#include "near.hpp"
#include "suites.hpp"

#include <stdexcept>

namespace {

using namespace vmall::sim::mesh;

const struct {
    const char *name;
    double interval_with_three;
} good[] = {{"equi", 0},     {"equi+", 0},     {"fold-inf", 0},
            {"fold-20", 20}, {"fold-20j", 60}, {"fold-9999999", 9999999}};

const char *const bad[] = {"",          "fold",      "fold-",    "fold-0",       "fold-j",
                           "fold-1.5",  "fold--1",   "fold-1jj", "EQUI",         "equi ",
                           "fold-inf ", "fold-infj", "fold-20 ", "fold-99999999"};

const char *const no_mesh[] = {"",     "x",       "16",      "16x",   "x16",       "16x15",
                               "0x16", "16x16x1", "16 x 16", "-1x16", "2097152x1", "99999999x1"};

} // namespace

START_TEST(a_mesh_is_rows_by_columns) {
    const auto mesh = parse_mesh("8x32");
    ck_assert_int_eq(mesh.rows(), 8);
    ck_assert_int_eq(mesh.columns(), 32);
    ck_assert_int_eq(parse_mesh("1x1").processors(), 1);
}
END_TEST

START_TEST(other_meshes_are_refused) {
    ck_assert_contains(refusal<std::invalid_argument>([_i] { parse_mesh(no_mesh[_i]); }), "mesh");
}
END_TEST

START_TEST(names_are_understood_and_written_again) {
    const Choice choice = parse_choice(good[_i].name);
    ck_assert_text(to_text(choice), good[_i].name);
    ck_assert_near(choice.interval_with(3), good[_i].interval_with_three);
}
END_TEST

START_TEST(other_names_are_refused) {
    ck_assert_contains(refusal<std::invalid_argument>([_i] { parse_choice(bad[_i]); }),
                       "is none of equi, equi+, fold-inf");
}
END_TEST

START_TEST(only_equi_plus_maps_along_a_snake) {
    using vmall::policy::mesh::Mapping;
    ck_assert(parse_choice("equi+").mapping() == Mapping::snake);
    ck_assert(parse_choice("equi").mapping() == Mapping::contraction);
    ck_assert(parse_choice("fold-inf").mapping() == Mapping::contraction);
}
END_TEST

TCase *choice_tests() {
    TCase *tests = tcase_create("names");
    tcase_add_loop_test(tests, names_are_understood_and_written_again, 0,
                        sizeof good / sizeof good[0]);
    tcase_add_loop_test(tests, other_names_are_refused, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tests, a_mesh_is_rows_by_columns);
    tcase_add_loop_test(tests, other_meshes_are_refused, 0, sizeof no_mesh / sizeof no_mesh[0]);
    tcase_add_test(tests, only_equi_plus_maps_along_a_snake);
    return tests;
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmall.conf as a file: where it is looked for, files that cannot be used, and the example that is
// installed.
#include "config/config.hpp"
#include "config/keys.hpp"
#include "run.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace vmall;
using config::Config;
using config::ConfigError;

namespace {

std::string directory; // of this run, removed at the end

std::string write_file(const std::string &text, mode_t mode) {
    const std::string path = directory + "/vmall.conf";
    std::ofstream(path, std::ios::binary) << text;
    ck_assert_int_eq(chmod(path.c_str(), mode), 0);
    return path;
}

std::string load_refusal(const std::string &path) {
    return refusal<ConfigError>([&] { config::load(path); });
}

void remove_file() {
    std::remove((directory + "/vmall.conf").c_str());
}

START_TEST(loads_a_file) {
    ck_assert_int_eq(config::load(write_file("MaxMpl=3\n", 0644)).policy.max_mpl, 3);
}
END_TEST

START_TEST(names_file_and_line) {
    const std::string path = write_file("\nMaxMpl=9\n", 0644);
    ck_assert_contains(load_refusal(path), path + ":2: MaxMpl: \"9\" is not");
}
END_TEST

START_TEST(refuses_a_missing_file) {
    const std::string path = directory + "/nothing";
    ck_assert_text(load_refusal(path),
                   path + ": No such file or directory (it may be empty, but must be there)");
}
END_TEST

START_TEST(refuses_a_directory) {
    ck_assert_text(load_refusal(directory), directory + ": not a regular file");
}
END_TEST

START_TEST(refuses_a_fifo_without_waiting) {
    const std::string path = directory + "/vmall.conf";
    ck_assert_int_eq(mkfifo(path.c_str(), 0600), 0);
    ck_assert_text(load_refusal(path), path + ": not a regular file");
}
END_TEST

START_TEST(refuses_a_device) {
    ck_assert_text(load_refusal("/dev/zero"), "/dev/zero: not a regular file");
}
END_TEST

START_TEST(refuses_an_unreadable_file) {
    const std::string path = write_file("", 0000);
    const bool root = geteuid() == 0;
    if (root) { // may read everything
        ck_assert_int_eq(chmod(directory.c_str(), 0711), 0);
        ck_assert_int_eq(seteuid(65534), 0);
    }
    const std::string said = load_refusal(path);
    if (root)
        ck_assert_int_eq(seteuid(0), 0);
    ck_assert_text(said, path + ": Permission denied");
}
END_TEST

START_TEST(refuses_a_file_that_everyone_may_write) {
    const std::string path = write_file("", 0666);
    ck_assert_text(load_refusal(path), path + ": writable by everyone");
}
END_TEST

START_TEST(bounds_the_size_of_a_file) {
    const std::string line(65536, '#');
    config::load(write_file(line, 0600));
    const std::string path = write_file(line + "#", 0600);
    ck_assert_text(load_refusal(path), path + ": larger than 65536 bytes");
}
END_TEST

START_TEST(looks_beside_slurm_conf) {
    unsetenv("VMALL_CONF");
    setenv("SLURM_CONF", "/opt/slurm/etc/slurm.conf", 1);
    ck_assert_text(config::default_path(), "/opt/slurm/etc/vmall.conf");
    setenv("VMALL_CONF", "/else/where", 1);
    ck_assert_text(config::default_path(), "/else/where");
    unsetenv("VMALL_CONF");
    unsetenv("SLURM_CONF");
    ck_assert_contains(config::default_path(), "/slurm/vmall.conf");
}
END_TEST

// Every field, so that a field added to Config does not compile until it is compared here too.
auto fields(const Config &c) {
    const auto &[settings, partitions, short_limit, take_part, max_mpl_per_job, max_folds,
                 resize_loss, extension, hard, lend, fold_gres, fold_unserved, interval, retry,
                 survey, note, history, port, timeout, control, metrics, dir, vmrt, runtime, munge,
                 texts] = c;
    const auto &[discipline, order, sizing, max_mpl, window, rule, window_mpl, weight, sharing,
                 patience, max_time_lost, default_loss, only_malleable] = settings;
    const auto &[cosched, next, queues] = runtime;
    const auto &[level, efficiency, step, one_processor] = sharing;
    return std::make_tuple(discipline, order, sizing, max_mpl, window, rule, window_mpl, weight,
                           level, efficiency, step, one_processor, patience, max_time_lost,
                           default_loss, only_malleable, partitions, short_limit, take_part,
                           max_mpl_per_job, max_folds, resize_loss, extension, hard.partition,
                           hard.qos, lend, fold_gres, fold_unserved, interval, retry, survey, note,
                           history, port.relative, port.value, timeout, control, metrics, dir, vmrt,
                           cosched, next, queues, munge);
}

START_TEST(the_example_is_the_defaults) {
    ck_assert(fields(config::load(EXAMPLE)) == fields(Config()));
}
END_TEST

START_TEST(the_table_of_keys_shows_the_defaults) {
    std::string text;
    for (const config::Key &key : config::keys())
        if (!key.initial.empty())
            text += std::string(key.name) + "=" + key.initial + "\n";
    ck_assert(fields(config::parse(text, "defaults")) == fields(Config()));
}
END_TEST

START_TEST(the_example_shows_every_key_with_a_value_that_is_accepted) {
    const std::string start = std::string(config::keys()[_i].name) + "=";
    std::ifstream file(EXAMPLE);
    std::string line;
    int shown = 0;
    while (std::getline(file, line)) {
        line.erase(0, line.find_first_not_of('#'));
        if (line.compare(0, start.size(), start) == 0) {
            config::parse(line, EXAMPLE);
            ++shown;
        }
    }
    ck_assert_msg(shown == 1, "%s shown %d times", start.c_str(), shown);
}
END_TEST

START_TEST(the_manual_page_describes_every_key) {
    const std::string heading = std::string("\n.TP\n.B ") + config::keys()[_i].name + "\n";
    std::ostringstream page;
    page << std::ifstream(MANUAL).rdbuf();
    ck_assert_contains(page.str(), heading);
}
END_TEST

// With blanks for line breaks, and without macros and comment signs at the beginnings of lines.
std::string as_prose(const char *path) {
    std::ifstream file(path);
    std::string text, line;
    while (std::getline(file, line)) {
        for (const char *start : {".B ", "# "})
            if (line.rfind(start, 0) == 0)
                line.erase(0, std::string(start).size());
        text += line + ' ';
    }
    return text;
}

template <typename Piece>
void check_pages() {
    const std::string manual = as_prose(MANUAL), example = as_prose(EXAMPLE);
    for (const auto &row : policy::rows<Piece>()) {
        ck_assert_contains(manual, std::string(" ") + row.name + " " + row.help + ". ");
        if (!row.only_simulated)
            ck_assert_contains(example, std::string(" ") + row.name + ": " + row.help + ". ");
    }
}

START_TEST(the_pages_say_of_policies_what_their_table_says) {
    check_pages<policy::Discipline>();
    check_pages<policy::SizingPolicy>();
    check_pages<policy::ExpiryPolicy>();
}
END_TEST

} // namespace

int main() {
    char made[] = "/tmp/vmall-config-XXXXXX";
    if (!mkdtemp(made)) {
        perror(made);
        return EXIT_FAILURE;
    }
    directory = made;
    TCase *tests = tcase_create("file");
    tcase_add_checked_fixture(tests, nullptr, remove_file);
    tcase_add_test(tests, loads_a_file);
    tcase_add_test(tests, names_file_and_line);
    tcase_add_test(tests, refuses_a_missing_file);
    tcase_add_test(tests, refuses_a_directory);
    tcase_add_test(tests, refuses_a_fifo_without_waiting);
    tcase_add_test(tests, refuses_a_device);
    tcase_add_test(tests, refuses_an_unreadable_file);
    tcase_add_test(tests, refuses_a_file_that_everyone_may_write);
    tcase_add_test(tests, bounds_the_size_of_a_file);
    tcase_add_test(tests, looks_beside_slurm_conf);
    tcase_add_test(tests, the_example_is_the_defaults);
    tcase_add_test(tests, the_table_of_keys_shows_the_defaults);
    tcase_add_loop_test(tests, the_example_shows_every_key_with_a_value_that_is_accepted, 0,
                        static_cast<int>(config::keys().size()));
    tcase_add_test(tests, the_pages_say_of_policies_what_their_table_says);
    tcase_add_loop_test(tests, the_manual_page_describes_every_key, 0,
                        static_cast<int>(config::keys().size()));
    const int result = run("vmall.conf file", tests);
    remove_file();
    rmdir(made);
    return result;
}

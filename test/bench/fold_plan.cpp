// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plan is a list of chapters: some sides for some programs.
#include "fold_plan.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

namespace vmall::bench {
namespace {

struct Chapter {
    const char *table;
    int mpl;
    Names sides;
    int repetitions;
    Names programs = {};               // none: all of the table
    std::optional<Length> length = {}; // none: the sides'
};

// A program of each kind.
const Names some{
    "cg", "multigrid", "wavefront", "tasks", "send.50x3 (blockwise)", "scalapack xdlu"};
const Names switched{"cg", "stencil"};

const std::vector<Chapter> chapters{
    {"programs", 4, {"ours"}, 5},
    {"stock", 4, {"ours", "stock", "yield"}, 3, {}, Length::short_run},
    {"programs", 1, {"unfolded"}, 5},
    {"threads", 4, {"ours"}, 5},
    {"threads", 1, {"unfolded"}, 5},
    {"threads", 4, {"threads spin"}, 3},
    {"queues", 4, {"kernel", "ours", "yield"}, 3, {}, Length::fourfold},
    {"grain", 4, {"ours", "yield"}, 3},
    {"calls", 1, {}, 5},
    {"switching", 2, {"ours"}, 5, switched},
    {"rivals", 4, {"self", "two jobs"}, 5},
    {"programs", 2, {"ours"}, 5},
    {"stock", 2, {"ours", "stock", "yield"}, 3, {}, Length::short_run},
    {"grain", 2, {"ours", "yield"}, 3},
    {"programs", 4, {"spin", "messages", "sender", "periodic boost"}, 3, some},
    {"programs", 4, {"busy", "time shared", "lewi"}, 3, some},
    {"programs", 4, {"ours Open MPI", "stock Open MPI", "yield Open MPI"}, 3, some},
    {"programs", 1, {"unfolded Open MPI"}, 3, some},
};

// High beside low communication, as in table 4.7, and two of a kind.
const std::vector<std::pair<const char *, const char *>> rivals{
    {"multigrid", "gaussian"}, {"gaussian", "multigrid"}, {"cg", "cg"}};

constexpr double start_of_few = 0.25, start_of_many = 0.5; // seconds

using Program = std::shared_ptr<const Application>;

void append(std::vector<Program> &all, Applications applications) {
    std::move(applications.begin(), applications.end(), std::back_inserter(all));
}

std::vector<Program> every_program() {
    std::vector<Program> all;
    append(all, kernels());
    append(all, distribution_programs());
    return all;
}

std::vector<Program> some_programs(Applications applications) {
    std::vector<Program> programs;
    append(programs, std::move(applications));
    return programs;
}

std::vector<Program> programs_of(const std::string &table) {
    if (table == "grain")
        return some_programs(ring_of_every_grain());
    return table == "threads" ? some_programs(hybrid_kernels()) : every_program();
}

template <typename T>
bool is_chosen(const std::vector<T> &chosen, const T &one) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), one) != chosen.end();
}

class Planner {
  public:
    Planner(const Choice &choice, const test::Cpus &cpus, double cap, const Record &record)
        : choice_(choice), conditions_{cpus, 1, cap}, record_(record) {}

    void add(const Chapter &chapter) {
        if (!is_chosen<std::string>(choice_.tables, chapter.table) ||
            !is_chosen(choice_.mpls, chapter.mpl))
            return;
        conditions_.repetitions =
            choice_.repetitions != 0 ? choice_.repetitions : chapter.repetitions;
        const std::string table = chapter.table;
        if (table == "calls")
            return add_calls();
        if (table == "rivals")
            return add_rivals(chapter);
        for (const Program &program : programs_of(table)) {
            if (!is_chosen(programs_for(chapter), program->name))
                continue;
            if (table == "switching")
                add_switching(program);
            else
                add_comparison(chapter, program);
        }
    }

    std::vector<Item> plan;

  private:
    const Names &programs_for(const Chapter &chapter) const {
        static const Names all;
        if (!choice_.programs.empty())
            return choice_.programs;
        return choice_.every_side && chapter.table == std::string("programs") ? all
                                                                              : chapter.programs;
    }

    bool is_open(const std::string &table, const std::string &program, long grain_us, int mpl,
                 const std::string &side) const {
        Row row;
        row.table = table;
        row.program = program;
        row.grain_us = grain_us;
        row.mpl = mpl;
        row.side = side;
        return is_chosen(choice_.sides, side) && !record_.has(row);
    }

    void add_comparison(const Chapter &chapter, const Program &program) {
        std::vector<Side> sides;
        for (const std::string &name : chapter.sides) {
            const long grain = chapter.table == std::string("grain") ? grain_of(*program) : 0;
            if (!is_open(chapter.table, program->name, grain, chapter.mpl, name))
                continue;
            sides.push_back(side_named(name));
            if (choice_.short_runs)
                sides.back().length = Length::short_run;
            else if (chapter.length)
                sides.back().length = *chapter.length;
        }
        if (sides.empty())
            return;
        const std::string over = chapter.table == std::string("queues") ? "local" : "";
        plan.push_back({std::string(chapter.table) + ": " + program->name + " at MPL " +
                            std::to_string(chapter.mpl),
                        expected_seconds(*program, chapter.mpl, sides, over),
                        [=, conditions = conditions_](Agreements &agreements) {
                            return measure({chapter.table, *program, chapter.mpl, sides, over},
                                           conditions, agreements);
                        }});
    }

    double expected_seconds(const Application &program, int mpl, const std::vector<Side> &sides,
                            const std::string &over) const {
        double sum = 0;
        for (const Side &side : sides) {
            const Shape shape{static_cast<int>(conditions_.cpus.size()), mpl, side.folded,
                              side.length, program.threads()};
            const double ideal = program.expected_seconds(shape);
            if (&side == &sides.front())
                sum += conditions_.repetitions *
                       (ideal + (over.empty() ? start_of_few : start_of_many));
            sum += side_named(side.name).length == Length::short_run
                       ? conditions_.cap * (ideal + start_of_few / 2) // until it is ended
                       : conditions_.repetitions *
                             (1.1 * ideal + (side.folded ? start_of_many : start_of_few));
        }
        return sum;
    }

    void add_switching(const Program &program) {
        if (!is_open("switching", program->name, 0, 2, "ours"))
            return;
        const Shape shape{2, 2, false, Length::tenfold};
        plan.push_back({"switching: " + program->name,
                        conditions_.repetitions * (1 + 4.5 * program->expected_seconds(shape)),
                        [program, conditions = conditions_](Agreements &) {
                            return std::vector<Row>{measure_switching(*program, conditions)};
                        }});
    }

    void add_rivals(const Chapter &chapter) {
        const std::vector<Program> all = every_program();
        const auto find = [&](const std::string &name) {
            return *std::find_if(all.begin(), all.end(),
                                 [&](const Program &one) { return one->name == name; });
        };
        for (const auto &[one, other] : rivals) {
            const Program first = find(one), second = find(other);
            const std::string name = first->name + " beside " + second->name;
            const bool is_wanted = is_open("rivals", name, 0, chapter.mpl, "self") ||
                                   is_open("rivals", name, 0, chapter.mpl, "two jobs");
            if (!is_wanted || !is_chosen(choice_.programs, first->name))
                continue;
            const double ideal = first->expected_seconds({2, chapter.mpl, false, Length::full});
            plan.push_back({"rivals: " + name,
                            conditions_.repetitions * (2 * start_of_many + 6 * ideal),
                            [=, mpl = chapter.mpl, conditions = conditions_](Agreements &) {
                                return measure_rivals(*first, *second, mpl, conditions);
                            }});
        }
    }

    void add_calls() {
        if (is_open("calls", "message", 0, 2, "folded"))
            plan.push_back(
                {"calls", 4.0 * conditions_.repetitions,
                 [conditions = conditions_](Agreements &) { return measure_calls(conditions); }});
    }

    const Choice &choice_;
    Conditions conditions_;
    const Record &record_;
};

} // namespace

Names all_tables() {
    Names names;
    for (const Chapter &chapter : chapters)
        if (std::find(names.begin(), names.end(), chapter.table) == names.end())
            names.emplace_back(chapter.table);
    return names;
}

Names all_programs() {
    Names names;
    for (const Program &program : every_program())
        names.push_back(program->name);
    for (const char *table : {"grain", "threads"})
        for (const Program &program : programs_of(table))
            names.push_back(program->name);
    return names;
}

Names all_sides() {
    Names names{"self", "two jobs", "folded"};
    for (const Side &side : sides())
        names.push_back(side.name);
    return names;
}

std::vector<Item> make_plan(const Choice &choice, const test::Cpus &cpus, double cap,
                            const Record &record) {
    Planner planner(choice, cpus, cap, record);
    for (const Chapter &chapter : chapters)
        planner.add(chapter);
    return std::move(planner.plan);
}

} // namespace vmall::bench

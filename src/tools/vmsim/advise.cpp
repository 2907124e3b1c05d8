// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim advise: how much of their cores the jobs of a dump of sacct made use of.
#include "sim/report/advice.hpp"
#include "sim/trace/sacct.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/output_file.hpp"
#include "tools/vmsim/treatment_options.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace vmall::vmsim {

namespace {

struct AdviseOptions {
    std::string log;
    std::vector<std::string> by = {"partition", "account"};
    std::string csv;
    bool json = false;
    TreatmentOptions treatment;
};

std::vector<sim::AdviceBy> groups(const std::vector<std::string> &names) {
    std::vector<sim::AdviceBy> by;
    for (const sim::AdviceBy one :
         {sim::AdviceBy::partition, sim::AdviceBy::account, sim::AdviceBy::user})
        if (std::count(names.begin(), names.end(), name_of(one)) > 0)
            by.push_back(one);
    return by;
}

void advise(const AdviseOptions &options) {
    const sim::Workload workload = read_workload(options.log, options.treatment, std::cerr);
    const std::vector<sim::AdviceBy> by = groups(options.by);
    const std::vector<sim::Advice> advice = sim::advise(workload, by);
    std::cout << (options.json ? sim::advice_json(advice, by).dump(2) + "\n"
                               : sim::advice_table(advice, by));
    if (std::all_of(advice.begin(), advice.end(),
                    [](const sim::Advice &one) { return one.known_jobs == 0; }))
        std::cerr << "vmsim: " << options.log
                  << ": no job has a useful share: sched/fjt notes it in AdminComment of virtually "
                     "malleable jobs, which the dump has to have\n";
    if (options.csv.empty())
        return;
    OutputFile file(options.csv);
    sim::write_advice(file.stream(), advice, by);
    file.close();
}

} // namespace

void add_advise(Command app, int &) {
    auto options = std::make_shared<AdviseOptions>();
    const auto command =
        app.add_subcommand("advise", "Show which jobs leave cores idle that folding could fill");
    command.footer(std::string("A dump is made with:\n  ") + sim::sacct_command);
    command.add_option("log", options->log, "What sacct --parsable2 printed, plain or compressed")
        .required()
        .type_name("LOG");
    command
        .add_option("--by", options->by,
                    "A line for each of these: partition, account, user; partition,account")
        .delimiter(',')
        .one_of({"partition", "account", "user"})
        .type_name("NAME");
    command.add_option("--csv", options->csv, "Also write it as CSV").type_name("FILE");
    command.add_flag("--json", options->json, "Print JSON instead of a table");
    command.add_flag("--lenient", options->treatment.lenient,
                     "Skip and count lines that cannot be read");
    command.callback([options] { advise(*options); });
}

} // namespace vmall::vmsim

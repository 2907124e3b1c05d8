// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmall-exporter: serves over HTTP what the scheduler plugin counts and measures, or agents that
// deal cores themselves tell, for Prometheus. It is apart from slurmctld so that no client can harm
// that.
#include "config/config.hpp"
#include "tools/exporter/source.hpp"
#include "tools/vmctl/ask.hpp"
#include "tools/vmctl/controller.hpp"
#include "tools/vmctl/dealing_agents.hpp"
#include "tools/vmctl/exposition.hpp"
#include "tools/vmctl/node_metrics.hpp"
#include "vmall_config.h"

#include <CLI/CLI.hpp>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace {

using namespace vmall;
using namespace std::chrono_literals;

constexpr int exit_usage = 2;
// For the answer. Prometheus itself waits 10 s, if it is not told otherwise.
constexpr std::chrono::milliseconds patience = 4s;
constexpr std::chrono::milliseconds patience_with_agents = 2s; // slurmctld is asked before
constexpr std::chrono::milliseconds fresh = 1s;
// Who connects and says nothing, or does not read, keeps one of so many threads for so long.
constexpr const char *http_threads = "16";
constexpr const char *http_timeout = "3000"; // milliseconds

int complain(const std::string &problem, int exit_code) {
    std::cerr << "vmall-exporter: error: " << problem << std::endl;
    return exit_code;
}

// An empty problem: there is none any more.
void report(const std::string &problem) {
    if (problem.empty())
        std::cerr << "vmall-exporter: the controller answers" << std::endl;
    else
        complain(problem, EXIT_FAILURE);
}

// Asks slurmctld where the plugin is only until that has answered: slurmctld has better to do.
class Controller {
  public:
    explicit Controller(const config::Config &config) : config_(config) {}

    exporter::Metrics ask() {
        if (!known_)
            known_ = vmctl::controller_of(*vmctl::load_slurm_conf(), config_);
        try {
            return wire::decode_metrics(
                vmctl::ask(*known_, {wire::Ask::metrics}, patience).payload);
        } catch (const std::exception &) {
            known_.reset(); // it may be elsewhere now
            throw;
        }
    }

  private:
    const config::Config config_;
    std::optional<vmctl::Controller> known_;
};

struct Service {
    std::string address;
    std::string set_in; // where it stands, or should
    exporter::Source::Ask ask;
};

// The agents that deal cores themselves are asked as vmctl does.
Service find_service() {
    if (const auto dealing = vmctl::settings_of_dealing_agents())
        return {dealing->metrics_address, "plugstack.conf, behind mode=node", [config = *dealing] {
                    return vmctl::metrics_of(vmctl::find_node_jobs(config, patience_with_agents));
                }};
    const std::string path = config::default_path();
    const config::Config config = config::load(path);
    const auto controller = std::make_shared<Controller>(config);
    return {config.metrics_address, path, [controller] { return controller->ask(); }};
}

class Scraped final : public prometheus::Collectable {
  public:
    explicit Scraped(exporter::Source &source) : source_(source) {}

    std::vector<prometheus::MetricFamily> Collect() const override {
        const auto metrics = source_.metrics(patience);
        return metrics ? vmctl::families_of(*metrics) : vmctl::families_without_answer();
    }

  private:
    exporter::Source &source_;
};

// Until a signal ends the process, which keeps nothing that would have to be put away.
int serve() {
    const Service service = find_service();
    if (service.address.empty())
        return complain("nothing is to be served: set MetricsAddress in " + service.set_in,
                        EXIT_FAILURE);
    exporter::Source source(service.ask, report, fresh);
    const auto scraped = std::make_shared<Scraped>(source);
    std::unique_ptr<prometheus::Exposer> exposer;
    try {
        exposer = std::make_unique<prometheus::Exposer>(
            std::vector<std::string>{"listening_ports", service.address, "num_threads",
                                     http_threads, "request_timeout_ms", http_timeout});
    } catch (const std::exception &) {
        return complain("cannot listen on " + service.address, EXIT_FAILURE);
    }
    exposer->RegisterCollectable(scraped);
    for (;;)
        pause();
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Serves what the scheduler plugin of slurm-vmall counts and measures at "
                 "http://ADDRESS:PORT/metrics, for Prometheus; MetricsAddress of vmall.conf says "
                 "where.",
                 "vmall-exporter");
    app.set_version_flag("--version", PACKAGE_STRING);
    try {
        app.parse(argc, argv);
        return serve();
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &error) {
        return complain(error.what(), exit_usage);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
}

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The applications of Utrera's thesis, in the form of a table that operators can write themselves,
// and what follows for those that are not in it.
#include "sim/trace/application.hpp"

#include <sstream>

namespace vmall::sim {

namespace {

// G. Utrera, Virtual Malleability Applied to MPI Jobs to Improve Their Execution in a
// Multiprogrammed Environment: times from table 3.2, classes from table 3.3, sizes from s. 3.6 and
// ICS'05 s. 6.3.
const char table[] = R"(
app,class,sizes,1,8,9,16,25,32,36,49,64
LU.A,long,pow2,1940,168,,61,,33,,,23
LU.W,short,pow2,160,20,,12,,11,,,6
MG.B,short,pow2,255,60,,28,,15,,,9
BT.A,long,square,2441,,300,185,100,,66,50,
FT.A,short,pow2,89,28,,10,,7,,,3
EP.B,short,pow2,373,49,,24,,14,,,7
CG.B,long,pow2,4385,475,,180,,88,,,57
CG.A,short,pow2,85,7,,3,,2,,,2
Sweep3D,short,any,50,6,,5,,5,,,5
)";

Application bt_w() {
    Application application = find_application(thesis_applications(), "LU.W");
    application.name = "BT.W";
    application.sizes = SizeRule("square");
    return application;
}

Application ep_c() {
    Application application = find_application(thesis_applications(), "EP.B");
    application.name = "EP.C";
    application.job_class = policy::JobClass::long_job;
    for (auto &[processes, seconds] : application.times)
        seconds *= 4;
    application.speedup = table_speedup(application.times);
    return application;
}

} // namespace

const std::vector<Application> &thesis_applications() {
    static const std::vector<Application> applications = [] {
        std::istringstream in(table);
        return read_applications(in, "the thesis' table 3.2");
    }();
    return applications;
}

const std::vector<Application> &paper_applications() {
    static const std::vector<Application> applications = [] {
        std::vector<Application> all = thesis_applications();
        all.push_back(bt_w());
        all.push_back(ep_c());
        return all;
    }();
    return applications;
}

} // namespace vmall::sim

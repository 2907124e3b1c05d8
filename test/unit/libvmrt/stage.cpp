// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory by mmap and shmat, processes by fork and exec.
#include "stage.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/futex.h>
#include <poll.h>
#include <random>
#include <sched.h>
#include <sstream>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace vmall::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

[[noreturn]] void fail_with_errno(const std::string &what) {
    throw std::system_error(errno, std::generic_category(), what);
}

void *create_mapped(const std::string &path, mode_t mode, std::size_t bytes) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0)
        fail_with_errno(path);
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED)
        fail_with_errno(path);
    return memory;
}

int create_segment(std::uint32_t &key) {
    std::random_device random;
    key = random() | 1u;
    const int id =
        shmget(static_cast<key_t>(key), VMALL_RUNTIME_BYTES, IPC_CREAT | IPC_EXCL | 0600);
    if (id < 0)
        fail_with_errno("shmget");
    return id;
}

std::string make_folder() {
    std::string path = (std::filesystem::temp_directory_path() / "vmall-stage-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr)
        fail_with_errno(path);
    return path;
}

std::vector<std::string> mpiexec(int ranks, const std::vector<std::string> &command) {
    std::vector<std::string> whole{MPIEXEC, "-n", std::to_string(ranks)};
    whole.insert(whole.end(), command.begin(), command.end());
    return whole;
}

std::vector<char *> pointers(const std::vector<std::string> &strings) {
    std::vector<char *> result;
    for (const std::string &string : strings)
        result.push_back(const_cast<char *>(string.c_str()));
    result.push_back(nullptr);
    return result;
}

std::vector<pid_t> descendants(pid_t process) {
    std::vector<pid_t> all{process};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string path =
            "/proc/" + std::to_string(all[i]) + "/task/" + std::to_string(all[i]);
        if (FILE *children = std::fopen((path + "/children").c_str(), "r")) {
            for (int child = 0; std::fscanf(children, "%d", &child) == 1;)
                all.push_back(child);
            std::fclose(children);
        }
    }
    return all;
}

// 0 if there is no such process.
double cpu_seconds(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos)
        return 0;
    std::istringstream fields(text.substr(name_end + 1));
    std::string skipped_field;
    for (int field = 3; field < 14; ++field)
        fields >> skipped_field;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

const std::string libvmrt = LIBVMRT;

bool can_be_staged(std::size_t cpus) {
    const bool can = geteuid() == 0 && usable_cpus().size() >= cpus;
    if (!can)
        std::printf("skipped: needs root (for the control block) and %zu CPUs\n", cpus);
    return can;
}

std::vector<std::string> unshared(const std::vector<std::string> &options,
                                  const std::vector<std::string> &command) {
    std::vector<std::string> whole{"/usr/bin/unshare"};
    whole.insert(whole.end(), options.begin(), options.end());
    whole.insert(whole.end(), command.begin(), command.end());
    return whole;
}

bool can_unshare(const std::vector<std::string> &options) {
    return Program(unshared(options, {"/bin/true"}), {}).wait().succeeded();
}

Cpus usable_cpus() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        fail_with_errno("sched_getaffinity");
    Cpus cpus;
    for (std::uint16_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    return cpus;
}

void bind_this_process(const Cpus &cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const std::uint16_t cpu : cpus)
        CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        fail_with_errno("sched_setaffinity");
}

bool runs_inside(pid_t process, const Cpus &cpus) {
    std::error_code gone;
    const std::string tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto &entry : std::filesystem::directory_iterator(tasks, gone)) {
        cpu_set_t set;
        if (sched_getaffinity(std::stoi(entry.path().filename()), sizeof set, &set) != 0)
            continue;
        for (const std::uint16_t cpu : cpus)
            CPU_CLR(cpu, &set);
        if (CPU_COUNT(&set) != 0)
            return false;
    }
    return true;
}

Program::Program(const std::vector<std::string> &command,
                 const std::vector<std::string> &environment) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail_with_errno("pipe");
    const std::vector<char *> arguments = pointers(command);
    std::vector<std::string> variables(environment);
    for (char **variable = environ; *variable != nullptr; ++variable)
        variables.emplace_back(*variable);
    const std::vector<char *> all_variables = pointers(variables);
    pid_ = fork();
    if (pid_ < 0)
        fail_with_errno("fork");
    if (pid_ == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execve(arguments[0], arguments.data(), all_variables.data());
        _exit(127);
    }
    close(ends[1]);
    output_ = ends[0];
}

Program::Program(Program &&other) noexcept
    : pid_(other.pid_), output_(other.output_), text_(std::move(other.text_)),
      awaited_(other.awaited_) {
    other.pid_ = other.output_ = -1;
}

Program::~Program() {
    if (pid_ > 0) {
        kill_all();
        waitpid(pid_, nullptr, 0);
    }
    if (output_ >= 0)
        close(output_);
}

void Program::kill_all() const {
    for (const pid_t process : descendants(pid_))
        kill(process, SIGKILL);
}

bool Program::has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
}

Program::Read Program::read_until(Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd readable{output_, POLLIN, 0};
    if (left <= 0ms || poll(&readable, 1, static_cast<int>(left.count())) == 0)
        return Read::nothing;
    char buffer[4096];
    const ssize_t length = read(output_, buffer, sizeof buffer);
    if (length <= 0)
        return Read::end;
    text_.append(buffer, static_cast<std::size_t>(length));
    return Read::something;
}

bool Program::await(const std::string &text) {
    const auto deadline = Clock::now() + limit;
    std::size_t found;
    while ((found = text_.find(text, awaited_)) == std::string::npos)
        if (read_until(deadline) != Read::something)
            return false;
    awaited_ = found + text.size();
    return true;
}

Outcome Program::wait(std::chrono::seconds longest) {
    Outcome outcome{false, -1, {}};
    const auto deadline = Clock::now() + longest;
    Read last;
    while ((last = read_until(deadline)) == Read::something)
        ;
    if (last == Read::nothing) {
        outcome.hung = true;
        kill_all();
    }
    waitpid(pid_, &outcome.status, 0);
    pid_ = -1;
    outcome.output = std::move(text_);
    return outcome;
}

Stage::Stage()
    : folder_(make_folder()), control_(static_cast<vmall_control_block *>(create_mapped(
                                  control_path(), 0644, sizeof(vmall_control_block)))),
      runtime_id_(create_segment(control_->runtime_key)),
      runtime_(static_cast<vmall_runtime_page *>(shmat(runtime_id_, nullptr, 0))) {
    struct stat pid_namespace {};
    if (stat("/proc/self/ns/pid", &pid_namespace) != 0)
        fail_with_errno("/proc/self/ns/pid");
    runtime_->pid_namespace = static_cast<std::uint32_t>(pid_namespace.st_ino);
    control_->magic = VMALL_CONTROL_MAGIC;
    control_->version = VMALL_CONTROL_VERSION;
    control_->cpus_per_rank = control_->node_count = 1;
    allot(usable_cpus());
}

Stage::~Stage() {
    munmap(control_, sizeof *control_);
    shmdt(runtime_);
    shmctl(runtime_id_, IPC_RMID, nullptr);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void Stage::allot(const Cpus &cpus, std::uint32_t flags, std::uint32_t mpl) {
    __atomic_fetch_add(&control_->sequence, 1, __ATOMIC_SEQ_CST);
    ++control_->generation;
    control_->flags = flags;
    control_->mpl = mpl;
    control_->core_count = control_->cpu_count = static_cast<std::uint32_t>(cpus.size());
    std::copy(cpus.begin(), cpus.end(), control_->cpus);
    __atomic_fetch_add(&control_->sequence, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &control_->sequence, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Program Stage::start(int ranks, const std::vector<std::string> &command) const {
    return start_task(mpiexec(ranks, command));
}

Program Stage::start_task(const std::vector<std::string> &command,
                          const std::string &preload) const {
    return {command, {"LD_PRELOAD=" + preload, VMALL_ENV_CONTROL "=" + control_path()}};
}

Program Stage::start_stock(int ranks, const std::vector<std::string> &command) {
    return {mpiexec(ranks, command), {}};
}

Program Stage::start_nodes(const std::vector<const Stage *> &nodes, int ranks,
                           const std::vector<std::string> &command) {
    std::vector<std::string> whole{MPIEXEC};
    const auto append = [&](const std::vector<std::string> &words) {
        whole.insert(whole.end(), words.begin(), words.end());
    };
    for (const Stage *node : nodes) {
        if (node != nodes.front())
            append({":"});
        append({"-n", std::to_string(ranks)});
        append({"-env", "LD_PRELOAD", libvmrt});
        append({"-env", VMALL_ENV_CONTROL, node->control_path()});
        append(command);
    }
    return {whole, {}};
}

std::vector<pid_t> Stage::ranks() const {
    std::vector<pid_t> found;
    for (const vmall_runtime_slot &slot : runtime_->slots)
        if (const std::uint64_t owner = __atomic_load_n(&slot.owner, __ATOMIC_SEQ_CST))
            found.push_back(static_cast<pid_t>(owner >> 32));
    return found;
}

std::map<std::uint32_t, double> Stage::cpu_seconds_of_ranks(const Program &program) const {
    std::map<std::uint32_t, double> seconds;
    std::map<pid_t, double> to_start;
    for (; !program.has_ended(); std::this_thread::sleep_for(10ms))
        for (const vmall_runtime_slot &slot : runtime_->slots)
            if (const std::uint64_t owner = __atomic_load_n(&slot.owner, __ATOMIC_SEQ_CST)) {
                const auto rank = static_cast<pid_t>(owner >> 32);
                const double now = cpu_seconds(rank);
                double &most = seconds[__atomic_load_n(&slot.local_rank, __ATOMIC_SEQ_CST)];
                most = std::max(most, now - to_start.emplace(rank, now).first->second);
            }
    return seconds;
}

} // namespace vmall::test

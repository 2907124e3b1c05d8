// SPDX-License-Identifier: GPL-2.0-or-later
//
// RUNTIMEDIR, one *at() call per step of a path.
#include "spank_vm/node/runtime_dir.hpp"

#include "common/split.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/node/runtime_segment.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

using common::Descriptor;

constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr const char *lock_file_name = "agent.lock"; // no user may open it

[[noreturn]] void fail(const std::string &action) {
    throw std::system_error(errno, std::generic_category(), action);
}

struct stat status_of(const Descriptor &file, const std::string &name) {
    struct stat status;
    if (fstat(file.get(), &status) != 0)
        fail("cannot examine " + name);
    return status;
}

bool is_ours(const struct stat &status) {
    return status.st_uid == 0 || status.st_uid == geteuid();
}

void verify_directory(const Descriptor &directory, const std::string &path, bool may_be_sticky) {
    const struct stat status = status_of(directory, path);
    if (!is_ours(status))
        throw std::runtime_error(path + " belongs to user " + std::to_string(status.st_uid) +
                                 ", not to root");
    const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (others_write && !(may_be_sticky && (status.st_mode & S_ISVTX)))
        throw std::runtime_error(path + " can be written by others than root");
}

// `name` in `parent`, made if it is not there.
Descriptor enter(const Descriptor &parent, const std::string &name, const std::string &path) {
    const bool made = mkdirat(parent.get(), name.c_str(), 0755) == 0;
    if (!made && errno != EEXIST)
        fail("cannot make " + path);
    Descriptor directory(openat(parent.get(), name.c_str(), directory_flags));
    if (!directory)
        fail("cannot open " + path + " as a directory");
    if (made && fchmod(directory.get(), 0755) != 0) // whatever our umask is
        fail("cannot set the mode of " + path);
    return directory;
}

Descriptor open_path(const std::string &path) {
    Descriptor directory(open("/", directory_flags));
    if (!directory)
        fail("cannot open /");
    std::string walked;
    for (const std::string_view part : common::split(path, '/')) {
        const std::string name(part);
        if (name.empty() || name == ".")
            continue;
        if (name == "..")
            throw std::runtime_error(path + " goes up through ..");
        walked += "/" + name;
        directory = enter(directory, name, walked);
        verify_directory(directory, walked, true);
    }
    verify_directory(directory, path, false);
    return directory;
}

struct CloseDirectory {
    void operator()(DIR *directory) const { closedir(directory); }
};

std::vector<std::string> names_in(const Descriptor &directory, const std::string &path) {
    Descriptor again(openat(directory.get(), ".", directory_flags));
    const std::unique_ptr<DIR, CloseDirectory> stream(again ? fdopendir(again.get()) : nullptr);
    if (!stream)
        fail("cannot list " + path);
    again.release();
    std::vector<std::string> names;
    while (const dirent *entry = readdir(stream.get()))
        if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
            names.emplace_back(entry->d_name);
    return names;
}

std::optional<std::uint32_t> as_job_id(const std::string &name) {
    std::uint32_t job_id = 0;
    const char *end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, job_id);
    if (error != std::errc() || stop != end || name != std::to_string(job_id))
        return std::nullopt;
    return job_id;
}

// A damaged control block has lost the key: a little memory stays.
void remove_runtime_page(const Descriptor &directory, std::uint32_t job_id) {
    try {
        remove_runtime_segment(ControlFile::open(directory, job_id).runtime_key());
    } catch (const std::runtime_error &) {
    }
}

} // namespace

RuntimeDir::RuntimeDir(std::string path) : path_(std::move(path)), directory_(open_path(path_)) {}

bool RuntimeDir::claim() {
    const std::string path = path_ + "/" + lock_file_name;
    if (!lock_)
        lock_ = Descriptor(openat(directory_.get(), lock_file_name,
                                  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!lock_)
        fail("cannot open " + path);
    struct flock whole_file = {};
    whole_file.l_type = F_WRLCK;
    whole_file.l_whence = SEEK_SET;
    if (fcntl(lock_.get(), F_SETLK, &whole_file) == 0)
        return true;
    if (errno != EAGAIN && errno != EACCES)
        fail("cannot lock " + path);
    return false;
}

Descriptor RuntimeDir::job(std::uint32_t job_id) const {
    const std::string name = std::to_string(job_id);
    const std::string path = path_ + "/" + name;
    Descriptor directory = enter(directory_, name, path);
    verify_directory(directory, path, false);
    return directory;
}

std::vector<std::uint32_t> RuntimeDir::job_ids() const {
    std::vector<std::uint32_t> ids;
    for (const std::string &name : names_in(directory_, path_))
        if (const auto job_id = as_job_id(name))
            ids.push_back(*job_id);
    return ids;
}

void RuntimeDir::remove_job(std::uint32_t job_id) const {
    const std::string name = std::to_string(job_id);
    const std::string path = path_ + "/" + name;
    const Descriptor directory(openat(directory_.get(), name.c_str(), directory_flags));
    if (!directory && errno == ENOENT)
        return;
    if (!directory)
        fail("cannot open " + path + " as a directory");
    remove_runtime_page(directory, job_id);
    for (const std::string &file : names_in(directory, path))
        if (unlinkat(directory.get(), file.c_str(), 0) != 0)
            fail("cannot remove " + path + "/" + file);
    if (unlinkat(directory_.get(), name.c_str(), AT_REMOVEDIR) != 0)
        fail("cannot remove " + path);
}

} // namespace vmall::spank_vm

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files and folders for one test, and workloads as text.
#include "scratch.hpp"

#include "run.hpp"
#include "sim/trace/text.hpp"

#include <filesystem>
#include <fstream>
#include <lzma.h>
#include <sstream>
#include <zlib.h>
#include <zstd.h>

using namespace vmall;

Scratch::Scratch() {
    folder_ = (std::filesystem::temp_directory_path() / "vmall-trace-XXXXXX").string();
    ck_assert_ptr_nonnull(mkdtemp(folder_.data()));
}

Scratch::~Scratch() {
    std::filesystem::remove_all(folder_);
}

std::string Scratch::file(const std::string &name, const std::string &content) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream out(path, std::ios::binary);
    out << content;
    out.close();
    ck_assert(out.good());
    return path;
}

std::string Scratch::gzip(const std::string &name, const std::string &content) const {
    const std::string path = folder_ + "/" + name;
    const gzFile out = gzopen(path.c_str(), "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(gzwrite(out, content.data(), static_cast<unsigned>(content.size())),
                     static_cast<int>(content.size()));
    ck_assert_int_eq(gzclose(out), Z_OK);
    return path;
}

std::string Scratch::xz(const std::string &name, const std::string &content) const {
    std::string packed(lzma_stream_buffer_bound(content.size()), '\0');
    std::size_t size = 0;
    ck_assert_int_eq(lzma_easy_buffer_encode(
                         6, LZMA_CHECK_CRC64, nullptr,
                         reinterpret_cast<const std::uint8_t *>(content.data()), content.size(),
                         reinterpret_cast<std::uint8_t *>(packed.data()), &size, packed.size()),
                     LZMA_OK);
    return file(name, packed.substr(0, size));
}

std::string Scratch::zstd(const std::string &name, const std::string &content) const {
    std::string packed(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3);
    ck_assert(!ZSTD_isError(size));
    return file(name, packed.substr(0, size));
}

std::string Scratch::without_folder(std::string text) const {
    for (std::size_t at = text.find(folder_ + "/"); at != std::string::npos;
         at = text.find(folder_ + "/"))
        text.erase(at, folder_.size() + 1);
    return text;
}

std::string read_file(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    ck_assert_msg(in.good(), "%s cannot be read", path.c_str());
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
}

std::string to_text(const sim::Job &job) {
    std::ostringstream text;
    text << job.id << ": at " << sim::seconds_text(job.submit)
         << (job.job_class == policy::JobClass::long_job ? " long" : " short")
         << (job.malleable             ? " malleable"
             : job.virtually_malleable ? " vm"
                                       : " rigid");
    for (const int size : job.sizes.one_by_one())
        text << (size == job.sizes.smallest() ? ' ' : ',') << size;
    if (job.cores_per_process != 1)
        text << " x" << job.cores_per_process;
    text << ", " << sim::seconds_text(job.runtime) << " s with " << job.runtime_processes;
    if (job.estimate != 0)
        text << ", estimate " << job.estimate;
    if (job.time_limit != 0)
        text << ", limit " << job.time_limit;
    if (job.recorded_start)
        text << ", started " << sim::seconds_text(*job.recorded_start);
    for (const auto &[what, memory] :
         {std::pair("asked ", job.requested_memory), std::pair("used ", job.used_memory)})
        if (memory != 0)
            text << ", " << what << memory << 'K';
    if (!job.application.empty())
        text << ", runs " << job.application;
    if (!job.user.empty())
        text << ", of " << job.user;
    return text.str();
}

std::string to_text(const sim::Workload &workload) {
    std::string text;
    for (const sim::Job &job : workload.jobs)
        text += to_text(job) + "\n";
    return text;
}

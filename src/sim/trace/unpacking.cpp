// SPDX-License-Identifier: GPL-2.0-or-later
//
// By liblzma and libzstd.
#include "sim/trace/unpacking.hpp"

#include <cstdint>
#include <lzma.h>
#include <new>
#include <string>
#include <utility>
#include <zstd.h>

namespace vmall::sim {

namespace {

constexpr std::string_view xz_magic = "\xFD"
                                      "7zXZ";
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";
constexpr std::uint64_t most_memory = 256 << 20; // xz -9 wants 65 MiB, zstd refuses twice as much

bool begins_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

std::string reason(lzma_ret code) {
    switch (code) {
    case LZMA_MEMLIMIT_ERROR:
        return "it takes too much memory";
    case LZMA_OPTIONS_ERROR:
        return "it was compressed in a way that is not known";
    default:
        return "xz error " + std::to_string(code);
    }
}

class Xz : public Unpacking {
  public:
    explicit Xz(More more) : more_(std::move(more)) {
        if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK)
            throw std::bad_alloc();
    }
    Xz(const Xz &) = delete;
    Xz &operator=(const Xz &) = delete;
    ~Xz() override { lzma_end(&stream_); }

    std::size_t read(char *to, std::size_t room) override {
        stream_.next_out = reinterpret_cast<std::uint8_t *>(to);
        stream_.avail_out = room;
        while (!has_ended_ && stream_.avail_out == room)
            proceed();
        return room - stream_.avail_out;
    }

  private:
    void proceed() {
        if (stream_.avail_in == 0 && !no_more_) {
            const std::string_view data = more_();
            stream_.next_in = reinterpret_cast<const std::uint8_t *>(data.data());
            stream_.avail_in = data.size();
            no_more_ = data.empty();
        }
        const lzma_ret code = lzma_code(&stream_, no_more_ ? LZMA_FINISH : LZMA_RUN);
        has_ended_ = code == LZMA_STREAM_END;
        if (code == LZMA_BUF_ERROR && no_more_)
            throw DataEndsEarly();
        if (!has_ended_ && code != LZMA_OK)
            throw std::runtime_error(reason(code));
    }

    More more_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool no_more_ = false, has_ended_ = false;
};

class Zstd : public Unpacking {
  public:
    explicit Zstd(More more)
        : more_(std::move(more)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
        if (!stream_)
            throw std::bad_alloc();
    }

    std::size_t read(char *to, std::size_t room) override {
        ZSTD_outBuffer out = {to, room, 0};
        while (out.pos == 0 && proceed(out)) {
        }
        return out.pos;
    }

  private:
    // False at the end.
    bool proceed(ZSTD_outBuffer &out) {
        if (in_.pos == in_.size && !may_hold_back_) {
            const std::string_view data = more_();
            in_ = {data.data(), data.size(), 0};
            if (data.empty() && wanted_ != 0)
                throw DataEndsEarly();
            if (data.empty())
                return false;
        }
        wanted_ = ZSTD_decompressStream(stream_.get(), &out, &in_);
        if (ZSTD_isError(wanted_))
            throw std::runtime_error(ZSTD_getErrorName(wanted_));
        may_hold_back_ = out.pos == out.size;
        return true;
    }

    More more_;
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream *)> stream_;
    ZSTD_inBuffer in_ = {nullptr, 0, 0};
    std::size_t wanted_ = 0;     // 0: a piece is complete
    bool may_hold_back_ = false; // for want of room
};

} // namespace

std::unique_ptr<Unpacking> unpacking(std::string_view begin, Unpacking::More more) {
    if (begins_with(begin, xz_magic))
        return std::make_unique<Xz>(std::move(more));
    if (begins_with(begin, zstd_magic))
        return std::make_unique<Zstd>(std::move(more));
    return nullptr;
}

} // namespace vmall::sim

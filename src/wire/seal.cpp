// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sealed payloads through libmunge.
#include "wire/seal.hpp"

#include <cstdlib>
#include <limits>
#include <memory>
#include <munge.h>
#include <utility>

namespace vmall::wire {

namespace {

struct DestroyContext {
    void operator()(munge_ctx_t context) const { munge_ctx_destroy(context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<munge_ctx_t>, DestroyContext>;

struct Free {
    void operator()(void *memory) const { std::free(memory); }
};

template <typename Value>
void set(const Context &context, munge_opt_t option, Value value) {
    if (munge_ctx_set(context.get(), option, value) != EMUNGE_SUCCESS)
        throw ChannelError(std::string("munge: ") + munge_ctx_strerror(context.get()));
}

// A new context for every call: libmunge remembers a failed decode in the context, and encoding
// with it fails from then on.
Context make_context(const std::string &socket) {
    Context context(munge_ctx_create());
    if (!context)
        throw ChannelError("munge: out of memory");
    if (!socket.empty())
        set(context, MUNGE_OPT_SOCKET, socket.c_str());
    return context;
}

[[noreturn]] void fail(const char *action, const Context &context, munge_err_t error) {
    const char *detail = munge_ctx_strerror(context.get());
    throw ChannelError(std::string("munge: cannot ") + action + ": " +
                       (detail ? detail : munge_strerror(error)));
}

} // namespace

Seal::Seal(std::string socket) : socket_(std::move(socket)) {}

std::string Seal::seal(const std::string &payload, uid_t reader) const {
    if (payload.size() > highest_payload_bytes)
        throw ChannelError("message of " + std::to_string(payload.size()) + " bytes is too long");
    const Context context = make_context(socket_);
    set(context, MUNGE_OPT_UID_RESTRICTION, reader);
    set(context, MUNGE_OPT_TTL, seconds_to_live);
    char *raw = nullptr;
    const munge_err_t error =
        munge_encode(&raw, context.get(), payload.data(), static_cast<int>(payload.size()));
    const std::unique_ptr<char, Free> credential(raw);
    if (error != EMUNGE_SUCCESS)
        fail("seal", context, error);
    return credential.get();
}

Opened Seal::open(const std::string &credential) const {
    const Context context = make_context(socket_);
    void *raw = nullptr;
    int size = 0;
    uid_t uid = std::numeric_limits<uid_t>::max();
    gid_t gid = 0;
    const munge_err_t error =
        munge_decode(credential.c_str(), context.get(), &raw, &size, &uid, &gid);
    // An expired or replayed credential still yields its payload: free it, never use it.
    const std::unique_ptr<void, Free> payload(raw);
    if (error != EMUNGE_SUCCESS)
        fail("open", context, error);
    std::time_t sealed_at = 0;
    if (munge_ctx_get(context.get(), MUNGE_OPT_ENCODE_TIME, &sealed_at) != EMUNGE_SUCCESS)
        throw ChannelError("munge: cannot tell when a message was sealed");
    if (size == 0)
        return {"", uid, sealed_at};
    return {std::string(static_cast<const char *>(raw), static_cast<std::size_t>(size)), uid,
            sealed_at};
}

} // namespace vmall::wire

// SPDX-License-Identifier: GPL-2.0-or-later
//
// MPICH over UCX (ch4:ucx) calls ucp_worker_progress wherever it waits, whichever MPI call and
// language that is; 0 means that nothing happened. It calls ucp_worker_destroy in MPI_Finalize,
// when the rank is done with the others. No MPI header is needed, so any MPI library over UCX will
// do; only the hint which rank sent a message reads the tag as MPICH lays it out. Workers that were
// never polled may be destroyed at any time: Open MPI makes one before it decides for other means.
#include "libvmrt/engines/engine.hpp"
#include "libvmrt/engines/ucp.hpp"
#include "libvmrt/messages.hpp"
#include "libvmrt/next_symbol.hpp"
#include "libvmrt/rank.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/wakeup.hpp"

using namespace vmall::runtime;

namespace {

Next<decltype(ucp_worker_progress)> next_progress("ucp_worker_progress", ucp_library);
Next<decltype(ucp_worker_destroy)> next_destroy("ucp_worker_destroy", ucp_library);
Next<decltype(ucp_worker_get_address)> next_get_address("ucp_worker_get_address", ucp_library);
Next<decltype(ucp_ep_create)> next_ep_create("ucp_ep_create", ucp_library);
Next<decltype(ucp_tag_send_nbx)> next_send("ucp_tag_send_nbx", ucp_library);
Next<decltype(ucp_tag_send_sync_nbx)> next_send_sync("ucp_tag_send_sync_nbx", ucp_library);
Next<decltype(ucp_am_send_nb)> next_am_send("ucp_am_send_nb", ucp_library);
Next<decltype(ucp_tag_recv_nbx)> next_recv("ucp_tag_recv_nbx", ucp_library);
Next<decltype(ucp_tag_msg_recv_nbx)> next_msg_recv("ucp_tag_msg_recv_nbx", ucp_library);

std::uintptr_t polled = 0; // the worker, last

// A receive that does not complete at once calls back. MPI libraries have very few callbacks, so
// each gets a companion that counts first; should there be more, their messages are not counted.
constexpr int companions = 4;
ucp_tag_recv_nbx_callback_t callbacks[companions] = {};

template <int which>
void count_and_call(void *request, ucs_status_t status, const ucp_tag_recv_info_t *info,
                    void *user_data) {
    if (status != UCS_ERR_CANCELED && info != nullptr)
        messages.took(info->sender_tag, info->length);
    __atomic_load_n(&callbacks[which], __ATOMIC_ACQUIRE)(request, status, info, user_data);
}

constexpr ucp_tag_recv_nbx_callback_t counting[companions] = {count_and_call<0>, count_and_call<1>,
                                                              count_and_call<2>, count_and_call<3>};

ucp_tag_recv_nbx_callback_t companion_of(ucp_tag_recv_nbx_callback_t callback) {
    for (int i = 0; i < companions; ++i) {
        ucp_tag_recv_nbx_callback_t free = nullptr;
        if (__atomic_load_n(&callbacks[i], __ATOMIC_ACQUIRE) == callback ||
            __atomic_compare_exchange_n(&callbacks[i], &free, callback, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE) ||
            free == callback)
            return counting[i];
    }
    return callback;
}

// Fields that a later UCX may have added lie behind what we could copy.
constexpr std::uint32_t known_fields =
    UCP_OP_ATTR_FIELD_REQUEST | UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
    UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_REPLY_BUFFER |
    UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FIELD_RECV_INFO | UCP_OP_ATTR_FIELD_MEMH |
    UCP_OP_ATTR_FLAG_NO_IMM_CMPL | UCP_OP_ATTR_FLAG_FAST_CMPL | UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL |
    UCP_OP_ATTR_FLAG_MULTI_SEND;

// `receive` is called with parameters that count its completion.
template <typename Receive>
ucs_status_ptr_t counted(const ucp_request_param_t *param, std::uint64_t tag, Receive receive) {
    if ((param->op_attr_mask & ~known_fields) != 0 ||
        (param->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) == 0)
        return receive(param);
    ucp_request_param_t copy = *param;
    copy.cb.recv = companion_of(param->cb.recv);
    const ucs_status_ptr_t request = receive(&copy);
    if (request == nullptr) // complete, and nobody is called back; it was short
        messages.took(tag, 0);
    return request;
}

// Apart, so that the way past it is short.
__attribute__((noinline)) unsigned poll_and_tell(ucp_worker_h worker) {
    const unsigned events = next_progress(worker);
    if (is_part_of_a_poll(ucx))
        return events;
    store_relaxed(polled, reinterpret_cast<std::uintptr_t>(worker));
    if (events != 0)
        this_rank.received(VMALL_ENGINE_UCX);
    else // MPI polls again at once, after a look at what else it has to do
        this_rank.idle(VMALL_ENGINE_UCX);
    return events;
}

} // namespace

namespace vmall::runtime {

const Engine ucx = {nullptr};

} // namespace vmall::runtime

VMALL_INTERPOSED unsigned ucp_worker_progress(ucp_worker_h worker) {
    return this_rank.lets_pass() ? next_progress(worker) : poll_and_tell(worker);
}

VMALL_INTERPOSED void ucp_worker_destroy(ucp_worker_h worker) {
    if (load_relaxed(polled) == reinterpret_cast<std::uintptr_t>(worker))
        this_rank.leave();
    wakeup.forget(worker);
    next_destroy(worker);
}

VMALL_INTERPOSED ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t **address,
                                                     size_t *length) {
    const ucs_status_t status = next_get_address(worker, address, length);
    if (status == UCS_OK && *length >= Messages::address_bytes && !is_part_of_a_poll(ucx))
        messages.listens_at(*address);
    return status;
}

VMALL_INTERPOSED ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t *params,
                                            ucp_ep_h *endpoint) {
    const ucs_status_t status = next_ep_create(worker, params, endpoint);
    if (status == UCS_OK && (params->field_mask & UCP_EP_PARAM_FIELD_REMOTE_ADDRESS) != 0)
        messages.connected(*endpoint, params->address);
    return status;
}

VMALL_INTERPOSED ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h endpoint, const void *buffer,
                                                   size_t count, ucp_tag_t tag,
                                                   const ucp_request_param_t *param) {
    messages.sends(endpoint, tag);
    return next_send(endpoint, buffer, count, tag, param);
}

VMALL_INTERPOSED ucs_status_ptr_t ucp_tag_send_sync_nbx(ucp_ep_h endpoint, const void *buffer,
                                                        size_t count, ucp_tag_t tag,
                                                        const ucp_request_param_t *param) {
    messages.sends(endpoint, tag);
    return next_send_sync(endpoint, buffer, count, tag, param);
}

// Operations on the memory of others that they have a part in, and the answers.
VMALL_INTERPOSED ucs_status_ptr_t ucp_am_send_nb(ucp_ep_h endpoint, std::uint16_t id,
                                                 const void *buffer, size_t count,
                                                 ucp_datatype_t datatype,
                                                 ucp_send_callback_t callback, unsigned flags) {
    messages.signals(endpoint);
    return next_am_send(endpoint, id, buffer, count, datatype, callback, flags);
}

VMALL_INTERPOSED ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h worker, void *buffer, size_t count,
                                                   ucp_tag_t tag, ucp_tag_t mask,
                                                   const ucp_request_param_t *param) {
    if (this_rank.is_aside())
        return next_recv(worker, buffer, count, tag, mask, param);
    messages.expects(tag, mask);
    return counted(param, tag, [=](const ucp_request_param_t *with) {
        return next_recv(worker, buffer, count, tag, mask, with);
    });
}

VMALL_INTERPOSED ucs_status_ptr_t ucp_tag_msg_recv_nbx(ucp_worker_h worker, void *buffer,
                                                       size_t count, ucp_tag_message_h message,
                                                       const ucp_request_param_t *param) {
    return counted(
        param, 0,
        [=](const ucp_request_param_t *with) {
            return next_msg_recv(worker, buffer, count, message, with);
        });
}

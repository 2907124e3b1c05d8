// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks UCX for a descriptor of its events where the job has several nodes. UCX has one only if the
// feature was asked for in ucp_init, because some of its transports have none.
#include "libvmrt/engines/ucp.hpp"
#include "libvmrt/next_symbol.hpp"
#include "libvmrt/wakeup.hpp"

#include <cstdint>

using namespace vmall::runtime;

namespace {

Next<decltype(ucp_init_version)> next_init("ucp_init_version", ucp_library);
Next<decltype(ucp_worker_create)> next_create("ucp_worker_create", ucp_library);
Next<decltype(ucp_worker_get_efd)> next_get_descriptor("ucp_worker_get_efd", ucp_library);
Next<decltype(ucp_worker_arm)> next_arm("ucp_worker_arm", ucp_library);

// Fields that a later UCX may have added lie behind what we could copy.
constexpr std::uint64_t known_fields = 2 * std::uint64_t{UCP_PARAM_FIELD_NAME} - 1;

bool events_asked_for = false;

ucp_worker_h worker_of(void *engine) {
    return static_cast<ucp_worker_h>(engine);
}

bool get_descriptor(void *engine, int &descriptor) {
    return next_get_descriptor(worker_of(engine), &descriptor) == UCS_OK;
}

bool arm(void *engine) {
    return next_arm(worker_of(engine)) == UCS_OK;
}

} // namespace

VMALL_INTERPOSED ucs_status_t ucp_init_version(unsigned major, unsigned minor,
                                               const ucp_params_t *parameters,
                                               const ucp_config_t *config, ucp_context_h *context) {
    if ((parameters->field_mask & UCP_PARAM_FIELD_FEATURES) != 0 &&
        (parameters->field_mask & ~known_fields) == 0 && wakeup.is_needed()) {
        ucp_params_t with_events = *parameters;
        with_events.features |= UCP_FEATURE_WAKEUP;
        events_asked_for = next_init(major, minor, &with_events, config, context) == UCS_OK;
        if (events_asked_for)
            return UCS_OK;
    }
    return next_init(major, minor, parameters, config, context);
}

VMALL_INTERPOSED ucs_status_t ucp_worker_create(ucp_context_h context,
                                                const ucp_worker_params_t *parameters,
                                                ucp_worker_h *worker) {
    const ucs_status_t status = next_create(context, parameters, worker);
    if (events_asked_for && status == UCS_OK)
        wakeup.use({*worker, get_descriptor, arm});
    return status;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "node_registration.h"

#include "slurmglue/internal/releases.h"

#include <time.h>

#include "slurm/slurm.h"
#include SLURM_ACCT_GATHER_ENERGY_H
#include SLURM_GRES_H
#include "src/common/pack.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"

void register_node(const char *node) {
    slurm_node_registration_status_msg_t status = {
        .arch = "none",
        .os = "none",
        .boards = 1,
        .sockets = 1,
        .cores = 1,
        .threads = 1,
        .cpus = 1,
        .hash_val = NO_VAL,
        .hostname = (char *)node,
        .node_name = (char *)node,
        .timestamp = time(NULL),
        .slurmd_start_time = time(NULL),
        .version = SLURM_VERSION_STRING,
        .energy = acct_gather_energy_alloc(1),
        .gres_info = init_buf(BUF_SIZE),
    };
    gres_node_config_pack(status.gres_info);
    slurm_msg_t request, answer;
    slurm_msg_t_init(&request);
    slurm_msg_t_init(&answer);
    request.msg_type = MESSAGE_NODE_REGISTRATION_STATUS;
    request.data = &status;
    if (slurm_send_recv_controller_msg(&request, &answer, working_cluster_rec) == SLURM_SUCCESS)
        slurm_free_msg_data(answer.msg_type, answer.data);
    acct_gather_energy_destroy(status.energy);
    free_buf(status.gres_info);
}

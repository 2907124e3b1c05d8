# SPDX-License-Identifier: GPL-2.0-or-later
"""Error lines in the logs of a cluster's daemons."""

import re

from .release import installed_release

_ERROR = re.compile(r"\b(error|fatal): ")

# As Slurm's functions that send and receive say it, of whoever was at the other end.
_HUNG_UP = (
    r"(Unexpected missing socket error|Broken pipe|Connection reset by peer|Message send failure|"
    r"Zero Bytes were transmitted or received)"
)

# What Slurm 24.11 says besides, as below.
_USUAL_SINCE_24_11 = [
    # A job was cancelled while it was being launched: the credential is revoked, but this does not say so any more.
    r"Invalid job credential from \d+@127\.0\.0\.1: Invalid job credential$",
    # A cancelled step ended between two looks of slurmd at its socket.
    r"stepd_connect to StepId=\S+ failed: No such file or directory",
    # slurmdbd, of associations that a cluster or sacctmgr has only just made.
    r"We can't find assoc \d+ on cluster",
    r"SLURMDB_MODIFY_ASSOC: assoc \d+\(.*\) not found, unable to update",
    # slurmctld ends at the moment in which slurmdbd hangs up: the thread detaches itself where it is joined.
    r"slurm_persist_conn_recv_server_fini: pthread_join\(\): Invalid argument",
    # A job that asks for GPUs, but for no number of nodes, is tried on more nodes than it has tasks.
    r"_set_used_cnts: No allocated cores found",
    r"_set_job_bits2: gres_bit_select NULL for job \d+ on node",
]

# What Slurm 25.11 says besides.
_USUAL_SINCE_25_11 = [
    # A node has ended the last run of a job that was requeued: a run has a number of its own.
    r"find_job: could not find JobId=\d+ SLUID=\w+ by SLUID but could by job_id",
    r"_slurm_rpc_epilog_complete: could not find JobId=\d+ SLUID=",
    # A slurmstepd whose srun was cancelled.
    r"Closing accepted fd( after error)?: Bad file descriptor",
    # It was built without the library, as it may be.
    r"cannot create (url|http)_parser context for http_parser/libhttp_parser",
]

# What Slurm says with its stock plugins as well, on a machine where nothing is wrong.
_USUAL = re.compile("|".join([
    r"_remove_accrue_time_internal.*underflow",
    # Debian ships the plugin; the library it loads comes with libpmix-dev.
    r"mpi/pmix\w*: init: .*can not load PMIx library",
    r"Couldn't load specified plugin name for mpi/pmix",
    r"MPI: Cannot create context for mpi/pmix",
    # A cancelled rank has hung up (PMIX_ERR_LOST_CONNECTION).
    r"mpi/pmix\w*: _errhandler: .*Error handler invoked: status = -61,",
    # The PMIx library has removed it by then.
    r"(rmdir_recursive: could not open|Failed to remove) /tmp/spmix_appdir_",
    # The overridden number of cores cannot be exported as a topology.
    r"xcpuinfo_hwloc_topo_load: failed \(load will be required",
    # CANCELLED AT, unless another slurmstepd has written into the line.
    r"\*\*\* (JOB|STEP) [\w.+]+ ON \w+ ",
    # Others compute on this machine, too.
    r"High latency for 1000 calls to gettimeofday\(\)",
    # It is told to reconfigure just then: MessageTimeout is 0 until slurm.conf has been read again.
    r"error: slurm_\w+\b.*: Socket timed out on send/recv operation",
    # A job was cancelled while it was being launched.
    r"Invalid job credential .*Job credential revoked",
    r"Job \d+ already killed, do not launch batch job",
    # A cancelled srun is gone before its tasks are, or before its request has been read.
    r"(IO setup failed|exiting abnormally): Slurmd could not connect IO",
    r"(Failed to send (MESSAGE_TASK_EXIT|RESPONSE_LAUNCH_TASKS)|connect io): Connection refused",
    # A command was gone before it had its answer, or had asked.
    rf"error: slurm_\w+\b.*: {_HUNG_UP}",
    rf"unable to send return code to address:port=127\.0\.0\.1:\d+ msg_type=\d+: {_HUNG_UP}",
    r"_conn_readable: persistent connection for fd \d+ experienced error\[104\]",
    # slurmd was told to reconfigure while it was still busy with a request.
    r"Timeout waiting for completion of \d+ threads",
    # State that has never been saved: the jobs' at the first start, others' until there is any.
    r"Could not open \w+ state file .*: No such file",
    r"NOTE: Trying backup (partition )?state save file",
    r"No fed_mgr state file \(.*\) to recover",
    # slurmdbd of a small database, which reports at once to a slurmctld that does not listen yet.
    r"Database settings not recommended values: innodb_buffer_pool_size$",
    r"update cluster: Connection refused to",
    *(_USUAL_SINCE_24_11 if installed_release() >= (24, 11) else []),
    *(_USUAL_SINCE_25_11 if installed_release() >= (25, 11) else []),
]))


def errors(directory, expected=None):
    """Lines that report an error, but for Slurm's usual ones and those that match `expected`."""
    found = []
    for log in sorted(directory.glob("*.log")):
        for line in log.read_text(errors="replace").splitlines():
            if _ERROR.search(line) and not _USUAL.search(line):
                if not (expected and re.search(expected, line)):
                    found.append(f"{log.name}: {line}")
    return found

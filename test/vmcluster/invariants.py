# SPDX-License-Identifier: GPL-2.0-or-later
"""What must be true of the cores at every moment, whatever was done to the jobs."""

import time


def _compare(slurm, jobs):
    """Everything that does not fit together in one snapshot, as sentences."""
    wrong = []
    owners = {}
    held = {}
    running = {job.id: job for job in jobs.values() if job.holds_cores}
    for job in running.values():
        for node, cores in job.cores.items():
            held[node] = held.get(node, 0) + len(cores)
            for core in cores:
                other = owners.setdefault((node, core), job.id)
                if other != job.id:
                    wrong.append(f"core {core} of {node} belongs to jobs {other} and {job.id}")
        if job.core_count != job.cpus:
            wrong.append(f"job {job.id}: {job.core_count} CPU_IDs, but NumCPUs={job.cpus}")
        if job.tres_cpus != job.cpus:
            wrong.append(f"job {job.id}: TRES says {job.tres_cpus} CPUs, NumCPUs={job.cpus}")
    for job, cpus in slurm.squeue_cpus().items():
        if job not in running or running[job].cpus != cpus:
            seen = running[job].cpus if job in running else "nothing"
            wrong.append(f"job {job}: squeue says {cpus} CPUs, scontrol {seen}")
    sinfo = slurm.sinfo_allocated()
    for node, (allocated, total) in slurm.node_cpus().items():
        if allocated != held.get(node, 0):
            wrong.append(f"{node}: CPUAlloc={allocated}, its jobs hold {held.get(node, 0)}")
        if sinfo.get(node) != allocated:
            wrong.append(f"{node}: sinfo says {sinfo.get(node)} allocated, scontrol {allocated}")
        if allocated > total:
            wrong.append(f"{node}: {allocated} of {total} CPUs allocated")
    return wrong


def violations(slurm, looks=10, interval=0.5):
    """What is wrong with the cores of all jobs: empty if nothing.

    The commands run one after the other while jobs come and go, so what does not fit together counts only if it is
    the same at every look.
    """
    wrong = _compare(slurm, slurm.jobs())
    for _ in range(looks):
        if not wrong:
            break
        time.sleep(interval)
        again = _compare(slurm, slurm.jobs())
        wrong = [sentence for sentence in wrong if sentence in again]
    return wrong

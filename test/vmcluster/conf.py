# SPDX-License-Identifier: GPL-2.0-or-later
"""The configuration files of a throwaway cluster, as text."""

import socket

_SCHEDULERS = {
    "vmall": {"SelectType": "select/cons_tres_vmall", "SchedulerType": "sched/fjt"},
    "stock": {"SelectType": "select/cons_tres", "SchedulerType": "sched/backfill"},
}
_SCHEDULERS["node"] = _SCHEDULERS["stock"]


# Backfilling with malleability (Utrera's thesis ch. 6), for clusters that tell its stories instead of running the default policy.
PAPERS_POLICY = {"QueueDiscipline": "easy", "Sizing": "fjt", "MaxMpl": 1}


def lines(settings):
    """What is None is not said."""
    return "".join(f"{key}={value}\n" for key, value in settings.items() if value is not None)


def shape(node):
    """What slurm.conf says of a node that any host may have."""
    cores = node.cpus // node.sockets // node.threads
    return (f"CPUs={node.cpus} Boards=1 SocketsPerBoard={node.sockets} CoresPerSocket={cores} "
            f"ThreadsPerCore={node.threads} RealMemory={node.memory} {node.options}")


def _for_dynamic_nodes(nodes, ports):
    """Such a node listens where slurm.conf says that all do, so there is one at most. There may be more, whose slurmd never comes."""
    dynamic = [node for node in nodes if node.dynamic]
    if not dynamic:
        return {}
    [node] = dynamic
    return {"MaxNodeCount": len(nodes) + 1, "SlurmdPort": ports[node.name]}


def slurm_conf(directory, scheduler, nodes, ports, plugin_dirs, confinement, extra, partitions,
               cred_expire=15):
    """`nodes`: list of Node; `ports`: their slurmd ports by name, slurmctld's as None; `extra` overrides;
    `partitions`: options by name; `cred_expire`: seconds, 5 or more."""
    host = socket.gethostname().partition(".")[0]
    settings = {
        "ClusterName": "throwaway",
        "SlurmctldHost": f"{host}(127.0.0.1)",
        "SlurmctldPort": ports[None],
        "SlurmUser": "root",
        "SlurmdUser": "root",
        "AuthType": "auth/munge",
        # A requeued job waits until its old credential has expired.
        "AuthInfo": f"socket={directory}/munge/socket,cred_expire={cred_expire}",
        "CredType": "cred/munge",
        "StateSaveLocation": f"{directory}/state",
        "SlurmdSpoolDir": f"{directory}/spool/%n",
        "SlurmctldPidFile": f"{directory}/slurmctld.pid",
        "SlurmdPidFile": f"{directory}/slurmd-%n.pid",
        "SlurmctldLogFile": f"{directory}/log/slurmctld.log",
        "SlurmdLogFile": f"{directory}/log/slurmd-%n.log",
        "SlurmctldDebug": "verbose",
        "SlurmdDebug": "verbose",
        "PluginDir": ":".join(map(str, plugin_dirs)),
        "MailProg": "/bin/true",
        "MpiDefault": "pmi2",
        "SwitchType": "switch/none",
        "TaskPlugin": confinement.task_plugin,
        "ProctrackType": confinement.proctrack_plugin,
        "JobAcctGatherType": "jobacct_gather/none",
        "SlurmdParameters": "config_overrides",  # claimed cores may be more than real ones
        "ReturnToService": 2,
        "KillWait": 2,
        # Longer than a step that is cancelled while it starts waits for step managers on other nodes that were never begun;
        # Slurm wants five times the next.
        "UnkillableStepTimeout": 180,
        "MessageTimeout": 30,  # others compute on this machine, too
        "SelectTypeParameters": "CR_Core",
        "SchedulerParameters": "bf_interval=1",
        # The default since 23.11, priority/multifactor, gives all jobs the same until it has weights.
        "PriorityType": "priority/basic",
        **_SCHEDULERS[scheduler],
        **_for_dynamic_nodes(nodes, ports),
        **extra,
    }
    text = lines(settings)
    for node in nodes:
        if not node.dynamic:
            text += f"NodeName={node.name} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[node.name]} {shape(node)}\n"
    return text + "".join(f"PartitionName={name} MaxTime=INFINITE State=UP {options}\n"
                          for name, options in partitions.items())

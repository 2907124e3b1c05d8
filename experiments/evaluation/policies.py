# SPDX-License-Identifier: GPL-2.0-or-later
"""The policies that are compared: what vmall.conf and slurm.conf say for each, and what vmsim calls stock Slurm's."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Policy:
    name: str
    description: str
    vmall_conf: dict = None  # None: Slurm's own plugins, and nobody asks for virtual malleability
    slurm_conf: dict = field(default_factory=dict)  # beside what it says for all
    partition: str = ""  # options of the Slurm partition
    cred_expire: int = 120  # seconds, as where nothing is set: a busy machine may take long to launch
    before_launch: str = ""  # what a job's script does first
    is_simulated: bool = True  # by vmsim
    shares: bool = False  # cores among running jobs, by efficiency: for the workloads of Corbalan's thesis
    usual_errors: str = None  # a regular expression: what Slurm logs under it where nothing is wrong
    limits: tuple = ()  # of what can be measured, as sentences

    @property
    def is_stock(self):
        return self.vmall_conf is None


def _stock(name, description, slurm_conf=None, limits=(), **fields):
    unlimited = {"OverTimeLimit": "UNLIMITED"}  # an estimate that is too short kills nobody under the others
    return Policy(name, description, slurm_conf={**unlimited, **(slurm_conf or {})},
                  limits=("Stock Slurm plans by time limits, which are the users' estimates, but kills nobody for them "
                          "(`OverTimeLimit=UNLIMITED`).", *limits), **fields)


_RESIZES_ARE_FREE = {"MaxResizeLoss": 100}  # as far as the papers' policies go


def _fjt(discipline, mpl, window="shrink"):
    return {"QueueDiscipline": discipline, "Sizing": "fjt", "MaxMpl": mpl, "WindowPolicy": window, **_RESIZES_ARE_FREE}


def _sharing(discipline, description):
    return Policy(discipline, description, shares=True,
                  vmall_conf={"QueueDiscipline": discipline, "Sizing": "adaptive", "MaxMpl": 4, "SurveyInterval": 1, **_RESIZES_ARE_FREE})


def _requeueing(name, description, vmall_conf):
    cred_expire = 5  # no less is possible
    return Policy(name, description + "; backfilled jobs are requeued when their window has expired", vmall_conf,
                  cred_expire=cred_expire,
                  limits=("A requeued job may not start again before Slurm's credential for its last start has expired, "
                          f"{cred_expire + 1} real seconds later (`AuthInfo=cred_expire={cred_expire}`; 121 if nothing is set), and "
                          "Slurm takes the requeue for its submission, which puts it last in the queue; vmsim knows no such delay, and "
                          "leaves it its place.",))


# A step cannot be made while the job is suspended, and srun then tries again after two minutes or so.
_UNTIL_RESUMED = 'while [ "$(squeue -h -j "$SLURM_JOB_ID" -o %T)" = SUSPENDED ]; do sleep 0.1; done'


POLICIES = {policy.name: policy for policy in (
    _stock("stock", "select/cons_tres and sched/backfill; every job as large as its user asks"),
    Policy("fjt4", "FJT, at most 4 processes on a core, first come first served", _fjt("fcfs", 4)),
    Policy("fjt4-easy", "FJT, at most 4 processes on a core, EASY backfilling", _fjt("easy", 4)),
    Policy("psa", "PSA, first come first served", {"QueueDiscipline": "fcfs", "Sizing": "psa", "MaxMpl": 4, **_RESIZES_ARE_FREE}),
    _requeueing("easy-requeue", "EASY backfilling; every job as large as its user asks",
                {"QueueDiscipline": "easy", "Sizing": "rigid", "MaxMpl": 1, "WindowPolicy": "requeue"}),
    _requeueing("bfm-requeue", "FJT without folded starts, and EASY backfilling",
                _fjt("easy", 1, window="requeue")),
    Policy("bfm", "FJT without folded starts, and backfilling with malleability", _fjt("easy", 1)),
    Policy("least-work", "the default of vmall.conf: the least work left first, and others are folded for it",
           {"QueueDiscipline": "least-work", "Sizing": "adaptive", "MaxMpl": 4}),
    _sharing("equipartition", "four jobs run at a time, with as many cores each"),
    _sharing("equip++", "the same, but fewer cores for jobs that are less than 70 % efficient; more jobs if all reach that"),
    _stock("gang", "as stock, but up to 4 jobs take turns on a core", {"PreemptMode": "GANG", "SchedulerTimeSlice": 5},
           partition="OverSubscribe=FORCE:4", before_launch=_UNTIL_RESUMED, is_simulated=False,
           # srun is suspended while slurmstepd tells it that the tasks run; of their end it hears.
           usual_errors=r"_send_launch_resp: Failed to send RESPONSE_LAUNCH_TASKS: Socket timed out",
           limits=("Under gang, a turn is 5 real seconds, the shortest that Slurm knows (30 if nothing is set), and a job "
                   "that has been suspended is not resumed for 2 real seconds.",)),
)}
STOCK_IN_VMSIM = "easy"

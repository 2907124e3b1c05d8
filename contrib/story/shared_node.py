# SPDX-License-Identifier: GPL-2.0-or-later
"""The story without anything of ours in slurmctld (mode=node): two MPI jobs share the cores of a node, and who is left has all
of them back."""

import json
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass

from vmcluster import Cluster, ClusterError, Node, control_block, processes
from vmcluster.programs import ENVIRONMENT, Kernel, run_alone

from . import report
from .verify import Finding, f1_unmodified_binaries, f8_nothing_left

CORES = 4
PARTITION = "Nodes=ALL Default=YES OverSubscribe=FORCE:4"
ROUNDS = 20  # of its own that a job does before it has been seen to compute
FIRST, SECOND = "A", "B"
PROGRAMS = {FIRST: Kernel("cg", "srun", before="600 2"), SECOND: Kernel("stencil", "srun", before="2000 1")}
SHOWN = ("JOBID", "NAME", "PROCS", "CORES", "FULL", "MPL", "USEFUL", "LOST", "NODES:CORES")


@dataclass
class Moment:
    """How the jobs are at one time: name → cores, by Slurm and by what the agent dealt, and what vmctl says."""

    what: str
    slurms: dict
    dealt: dict
    outside: int  # threads that may run elsewhere
    tasks: dict
    told: dict  # name → row of vmctl jobs
    table: list  # the same, as cells


class SharedNode:
    def __init__(self, cluster, say):
        self._cluster = cluster
        self._say = say
        self._began = time.monotonic()
        self._ids = {}
        self.moments = []
        self.results = {}  # name → (rounds, result)

    def tell(self):
        """The story. Raises ClusterError if something in it does not happen."""
        self._submit(FIRST)
        self._until_computes(FIRST)
        self._see("alone", {FIRST: CORES})
        self._submit(SECOND)
        self._until_computes(FIRST, SECOND)
        self._see("both", {FIRST: None, SECOND: None}, has_lost=True)
        self._until_computes(FIRST, SECOND)
        self._end(SECOND)
        self._see("alone again", {FIRST: CORES})
        self._until_computes(FIRST)
        self._end(FIRST)

    def _event(self, text):
        self._say(f"{time.monotonic() - self._began:6.1f} s  {text}")

    def _end_file(self, name):
        return self._cluster.directory / f"{name}.end"

    def _rounds(self, name):
        file = self._cluster.directory / f"{name}.end.rounds"
        return int(file.read_text() or 0) if file.exists() else 0

    def _submit(self, name):
        program = PROGRAMS[name]
        self._ids[name] = self._cluster.submit(
            program.script(self._cluster.build, f"until:{self._end_file(name)}"), f"--job-name={name}", f"--ntasks={CORES}",
            "--vm-class=long", **ENVIRONMENT)
        self._cluster.wait_state(self._ids[name], "RUNNING")
        self._event(f"{name} submitted, and started by Slurm: {CORES} processes of {program.name}")

    def _until_computes(self, *names):
        before = {name: self._rounds(name) for name in names}
        self._cluster.wait_until(lambda: all(self._rounds(name) >= before[name] + ROUNDS for name in names),
                                 f"{' and '.join(names)} to compute")
        self._event(f"{' and '.join(names)} did {ROUNDS} rounds more")

    def _end(self, name):
        self._end_file(name).touch()
        state = self._cluster.wait_end(self._ids[name]).state
        result = PROGRAMS[name].result(self._cluster.output(self._ids[name]))
        self.results[name] = (self._rounds(name), result)
        self._event(f"{name} is let end after {self._rounds(name)} rounds: {state}, {result or 'NO RESULT'}")
        if state != "COMPLETED":
            raise ClusterError(f"{name}: {state}\n{self._cluster.log_tails()}")

    def _see(self, what, expected, has_lost=False):
        """`expected`: name → how many cores it has; None: as many as it is dealt. `has_lost`: each some time, as is told now and
        then."""
        def seen():
            moment = self._look(what, expected)
            fits = all(count in (None, len(moment.dealt[name])) for name, count in expected.items())
            is_dealt = len(set().union(*moment.dealt.values())) == sum(map(len, moment.dealt.values()))
            is_told = all(moment.told.get(name, {}).get("nodes", [{}])[0].get("cores") == len(cores)
                          for name, cores in moment.dealt.items())
            lost = [row.get("lost_seconds", 0) > 0 for row in moment.told.values()]
            return fits and is_dealt and is_told and not moment.outside and (all(lost) or not has_lost) and moment
        moment = self._cluster.wait_until(seen, f"cores of their own: {', '.join(expected)}")
        self.moments.append(moment)
        self._event("; ".join(f"{name} has {len(cores)} of {CORES} cores" for name, cores in moment.dealt.items()))

    def _look(self, what, names):
        jobs = self._cluster.jobs()
        node = self._cluster.nodes[0].name
        moment = Moment(what, {}, {}, 0, {}, {}, [])
        for name in names:
            job_id = self._ids[name]
            block = control_block.read(self._cluster.root / "run" / node / str(job_id) / "control")
            moment.slurms[name] = set().union(*jobs[job_id].cores.values())
            moment.dealt[name] = self._state_cores(node, job_id)
            moment.tasks[name] = self._cluster.tasks(job_id)
            moment.outside += sum(not cpus <= set(block.cpus) for pid in moment.tasks[name].values()
                                  for cpus in processes.thread_cpus(pid).values())
        rows = json.loads(self._cluster.vmctl("jobs", "--json").stdout)["jobs"]
        moment.told = {row["name"]: row for row in rows}
        titles, *lines = (line.split() for line in self._cluster.vmctl("jobs").stdout.splitlines())
        moment.table = [[line[titles.index(title)] for title in SHOWN] for line in lines]
        return moment

    def _state_cores(self, node, job_id):
        """What the agent keeps, such as 0-2,7."""
        state = json.loads((self._cluster.root / "run" / node / str(job_id) / "state").read_text())["job"]
        spans = [span.split("-") for span in state["cores"].split(",")]
        return {core for first, *last in spans for core in range(int(first), int((last or [first])[0]) + 1)}


def _ours_in(cluster, build):
    """What of ours slurmctld has loaded."""
    maps = open(f"/proc/{cluster.slurmctld.pid}/maps", encoding="utf-8").read()
    return sorted({line.split()[-1] for line in maps.splitlines() if str(build.directory) in line})


def _n2_nothing_in_slurmctld(cluster, build):
    loaded = _ours_in(cluster, build)
    select = next(line.split("=")[1].strip() for line in cluster.run("scontrol", "show", "config").stdout.splitlines()
                  if line.startswith("SelectType "))
    return Finding(not loaded and select == "select/cons_tres", "slurmctld runs Slurm's own plugins, and has loaded nothing of ours",
                   f"SelectType={select}; of ours: {', '.join(loaded) or 'nothing'}")


def _n3_both_at_once(both):
    return Finding(both.slurms[FIRST] == both.slurms[SECOND] and len(both.slurms[FIRST]) == CORES,
                   "Slurm gave both jobs the same cores, all of the node",
                   "; ".join(f"{name}: {sorted(cores)}" for name, cores in both.slurms.items()))


def _n4_own_cores(alone, both):
    parts = both.dealt
    passed = (not parts[FIRST] & parts[SECOND] and all(4 * len(part) >= CORES for part in parts.values())
              and both.tasks[FIRST] == alone.tasks[FIRST] and not both.outside)
    return Finding(passed, "the agent gave each a part of its own, at least a quarter; the first kept its processes",
                   "; ".join(f"{name}: {sorted(cores)}" for name, cores in parts.items()) + f"; {both.outside} threads outside")


def _n5_all_back(both, again):
    return Finding(again.dealt[FIRST] == again.slurms[FIRST] and again.tasks[FIRST] == both.tasks[FIRST],
                   "when one had ended, the other had all of its cores again, with the same processes",
                   f"{FIRST}: {sorted(again.dealt[FIRST])}")


def _n6_told(moments):
    wrong = [f"{moment.what}: {name}" for moment in moments for name, cores in moment.dealt.items()
             if moment.told[name]["nodes"][0]["cores"] != len(cores) or moment.told[name]["full_cores"] != CORES]
    return Finding(not wrong, "vmctl jobs said so each time, by asking the agent", "; ".join(wrong) or f"{len(moments)} times")


def _n7_results(told, undisturbed):
    wrong = [f"{name}: {result} instead of {undisturbed[name]}" for name, (_, result) in told.items()
             if not result or result != undisturbed[name]]
    return Finding(not wrong, "both programs' results equal those of undisturbed runs", "; ".join(wrong) or str(undisturbed))


def _print_table(moments):
    lines = [["", *SHOWN]] + [[moment.what if first else "", *cells] for moment in moments
                              for first, cells in ((not i, cells) for i, cells in enumerate(moment.table))]
    widths = [max(map(len, column)) for column in zip(*lines)]
    print("\nWhat vmctl jobs said (some of its columns):\n")
    for line in lines:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def show(build, arguments, say):
    """Whether all facts hold."""
    say(f"Starting stock Slurm with one node of {CORES} cores, and two lines:\n"
        f"  plugstack.conf   required spank_vm.so mode=node\n  slurm.conf       PartitionName=... {PARTITION}")
    left = []
    with ExitStack() as stack:
        cluster = stack.enter_context(Cluster(build, "node", [Node("n1", CORES)], {"SurveyInterval": 2}, keep=arguments.keep,
                                              partitions={"main": PARTITION}))
        say(f"  in {cluster.root}\n")
        findings = {"N1": f1_unmodified_binaries(cluster), "N2": _n2_nothing_in_slurmctld(cluster, build)}
        story = SharedNode(cluster, say)
        story.tell()
        say("\nAs many rounds of each program once more, alone")
        undisturbed = {name: run_alone(cluster, PROGRAMS[name], CORES, rounds)[1] for name, (rounds, _) in story.results.items()}
        left += [f"{cpus} CPUs of {node} are allocated" for node, (cpus, _) in cluster.node_cpus().items() if cpus]
        left += cluster.log_errors()
        if arguments.keep:
            stack.pop_all()
        else:
            try:
                stack.close()
            except ClusterError as error:
                left.append(str(error))
    alone, both, again = story.moments
    findings.update({"N3": _n3_both_at_once(both), "N4": _n4_own_cores(alone, both), "N5": _n5_all_back(both, again),
                     "N6": _n6_told(story.moments), "N7": _n7_results(story.results, undisturbed), "N8": f8_nothing_left(left)})
    report.print_findings(findings)
    _print_table(story.moments)
    report.save_findings(arguments.out, findings, {"machine": {"real_cores": len(os.sched_getaffinity(0)), "claimed_cores": CORES}})
    if arguments.keep:
        report.explain_kept(cluster, arguments.cgroup, f"--vm-class=long -n {CORES}")
    failed = [name for name, finding in findings.items() if not finding.passed]
    say("\nquickstart: " + (f"FAILED {', '.join(failed)}" if failed else "all of N1 to N8 hold"))
    return not failed

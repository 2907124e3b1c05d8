# SPDX-License-Identifier: GPL-2.0-or-later
"""What one would gain, on a machine that has not the cores for it: a burst of jobs under our default policy and stock Slurm."""

from pathlib import Path

from evaluation import measures, timelines, workload
from evaluation.machines import CLAIMED
from evaluation.policies import POLICIES
from evaluation.progress import carry_out
from evaluation.run import Run, Settings, play

from . import gain_picture

# vmsim generate --workload=burst-9 --least-efficiency=0.9 --processors=60 --seed=1: the test of this folder makes it again.
WORKLOAD = Path(__file__).with_name("burst.swf")
_SETTINGS = Settings(clock=3, duration=None, folding_cost="1.04,1.07,1.11", one_process=True)
_POLICIES = {"stock Slurm": "stock", "slurm-vmall": "least-work"}
_BEFORE = f"""
What would you gain? A burst of nine jobs of the papers' applications on 60 claimed cores, as large as runs at 90 %
efficiency, under our default policy and under stock Slurm at the same time. Slept: the applications, for as long as they
were measured to take on the cores that they have, by a clock {_SETTINGS.clock} times as fast. Real: all of Slurm, every start, fold and unfold."""


def _run(policy):
    return Run(POLICIES[policy], "burst-9", "right", "efficient", CLAIMED["1x60"], 1, _SETTINGS)


def _measured(build, jobs, say):
    """What the schedulers are called → Played."""
    played = {}

    def play_one(run, watch):
        watch.expect(sum(job.run_time * job.processes for job in jobs) / run.machine.cores / _SETTINGS.clock)
        its = play(build, run, jobs, None, watch)
        watch.over()
        return its

    carry_out(play_one, {name: _run(policy) for name, policy in _POLICIES.items()}, len(_POLICIES), say, played.__setitem__)
    return {name: played[name] for name in _POLICIES}


def table(summaries):
    """Lines. `summaries`: those of measures.summary by scheduler, the one to compare with first."""
    (stock, theirs), (name, ours) = ((its, summary["classes"]) for its, summary in summaries.items())
    yield f"{'':12}{'mean wait':^26}{'mean response':^26}"
    yield f"{'':12}" + f"{stock:>13}{name:>13}" * 2 + f"{'ratio':>8}"
    for kind, before in theirs.items():
        after = ours[kind]
        times = [before["wait"], after["wait"], before["response"], after["response"]]
        label = f"{kind} ({before['jobs']})"
        yield f"  {label:10}" + "".join(f"{time:>11.1f} s" for time in times) + f"{after['response'] / before['response']:>8.2f}"


def show(build, out, say):
    """The table, and gain.svg in `out`."""
    jobs = workload.read(WORKLOAD)
    say(_BEFORE)
    played = _measured(build, jobs, say)
    summaries = {name: measures.summary(its.rows, CLAIMED["1x60"].cores) for name, its in played.items()}
    say("")
    for line in table(summaries):
        say(line)
    for name, its in played.items():
        for error in its.log_errors:
            say(f"  error under {name}: {error}")
        measures.write(out / f"gain-{_POLICIES[name]}.csv", measures.COLUMNS, its.rows)
        measures.write(out / f"gain-{_POLICIES[name]}-allotments.csv", timelines.ALLOTMENTS, its.allotments)
    gain_picture.draw(out / "gain.svg", played)
    say(f"One burst is no proof: experiments/pages/evaluation.md has many. Who had how many cores when: {out / 'gain.svg'}")

# SPDX-License-Identifier: GPL-2.0-or-later
"""munged for a throwaway cluster. The key is in the directory `root`/munge, with what the controller's has there.

Where there are several nodes, each has one of its own, as in life, if mounts can be made here. With one for all, a credential for
several nodes is replayed on all but the first; and slurmd lets its threads write that error into one context of libmunge, and
rarely dies of it (22.05, src/plugins/cred/munge/cred_munge.c).
"""

import functools
import secrets
import subprocess

from .waiting import LIMIT

_OWN_MOUNTS = ["unshare", "--mount", "--propagation", "slave"]


def write_key(root):
    key = root / "munge/key"
    key.touch(0o400)
    key.write_bytes(secrets.token_bytes(128))


@functools.cache
def can_be_beside():
    """Not in every container, nor where / is no mount point, as in a mere chroot."""
    return subprocess.run([*_OWN_MOUNTS, "true"], stderr=subprocess.DEVNULL, check=False, timeout=LIMIT).returncode == 0


def own(root, node):
    return root / "munged" / node


def command(root, node=None):
    directory, log = (own(root, node), f"munged-{node}.log") if node else (root / "munge", "munged.log")
    return ["/usr/sbin/munged", "--foreground", "--force", f"--key-file={root}/munge/key", f"--socket={directory}/socket",
            f"--pid-file={directory}/pid", f"--seed-file={directory}/seed", f"--log-file={root}/log/{log}", "--num-threads=10"]


def beside(root, node, slurmd):
    """The command of a slurmd, with the node's own munged where the controller's is for others."""
    mounted = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    return [*_OWN_MOUNTS, "sh", "-c", mounted, "sh", own(root, node), root / "munge", *slurmd]

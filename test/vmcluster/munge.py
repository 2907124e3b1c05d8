# SPDX-License-Identifier: GPL-2.0-or-later
"""munged for a throwaway cluster. Its files are in the directory `root`/munge, its log in `root`/log."""

import secrets


def write_key(root):
    key = root / "munge/key"
    key.touch(0o400)
    key.write_bytes(secrets.token_bytes(128))


def command(root):
    munge = root / "munge"
    return ["/usr/sbin/munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
            f"--pid-file={munge}/pid", f"--seed-file={munge}/seed", f"--log-file={root}/log/munged.log", "--num-threads=10"]

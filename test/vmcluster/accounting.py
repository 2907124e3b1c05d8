# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's accounting for a throwaway cluster: a private mariadbd behind a UNIX socket, and slurmdbd."""

import os
import subprocess

from . import conf
from .build import slurm_daemon
from .daemon import Daemon
from .ports import listening
from .waiting import LIMIT


class Accounting:
    """Started before slurmctld. Files are in `root`/accounting and slurmdbd.conf, where Slurm looks for it."""

    def __init__(self, root, environment, port):
        self.port = port
        self._root = root
        self._directory = root / "accounting"
        self._socket = self._directory / "socket"
        # The client library of MariaDB has no other way to be told: slurmdbd.conf has no socket.
        # A mariadbd that starts removes the temporary tables of others in the same directory.
        self._environment = {**environment, "MYSQL_UNIX_PORT": str(self._socket), "TMPDIR": str(self._directory)}
        self.mariadbd = Daemon("mariadbd", ["/usr/sbin/mariadbd", *self._mariadbd_options()], self._environment,
                               root / "log/mariadbd.log")
        self.slurmdbd = Daemon("slurmdbd", [slurm_daemon("slurmdbd"), "-D"], self._environment, root / "log/slurmdbd.log")

    @property
    def daemons(self):
        """In the order to stop them in."""
        return [self.slurmdbd, self.mariadbd]

    def slurm_conf(self):
        """What slurm.conf says about it."""
        return {
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": "127.0.0.1",
            "AccountingStoragePort": self.port,
            "AccountingStoragePass": f"{self._root}/munge/socket",
        }

    def start(self, wait_until):
        """`wait_until` as Cluster's. munged runs already."""
        if not self._directory.exists():
            self._create()
        self.mariadbd.start()
        wait_until(self._socket.exists, "mariadbd's socket")
        # slurmdbd makes it, but ends then with libmariadb 11.8.9, which forgets how many columns a result may have
        # when it cannot connect (error 5027).
        self._execute(["CREATE DATABASE IF NOT EXISTS slurm_acct_db"])
        self.slurmdbd.start()
        wait_until(lambda: self.port in listening(), "slurmdbd to listen")

    def rewrite(self, wait_until, statements):
        """Changes the database by SQL. slurmdbd restarts, and rolls usage up to the last full hour."""
        self.slurmdbd.stop()
        self._execute(["USE slurm_acct_db;", *statements])
        self.slurmdbd.start()
        wait_until(lambda: self.port in listening(), "slurmdbd to listen")

    def _execute(self, statements):
        subprocess.run(["mariadb", "--no-defaults", f"--socket={self._socket}"], env=self._environment,
                       input="\n".join(statements), text=True, capture_output=True, check=True, timeout=LIMIT)

    def _create(self):
        self._directory.mkdir(mode=0o700)
        with open(self._root / "log/mariadb-install-db.stderr", "wb") as log:
            subprocess.run(["mariadb-install-db", "--no-defaults", "--user=root", f"--datadir={self._directory}/data",
                            "--auth-root-authentication-method=socket", "--skip-test-db", "--skip-name-resolve"],
                           env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=True,
                           timeout=LIMIT)
        file = self._root / "slurmdbd.conf"
        file.touch(0o600)  # slurmdbd insists
        file.write_text(conf.lines(self._slurmdbd_conf()))

    def _mariadbd_options(self):
        return ["--no-defaults", "--user=root", f"--datadir={self._directory}/data", f"--socket={self._socket}",
                "--skip-networking", f"--pid-file={self._directory}/pid", f"--log-error={self._root}/log/mariadbd.log",
                # Nothing needs to survive the machine, and slurmdbd complains about a shorter timeout.
                "--innodb-flush-log-at-trx-commit=0", "--innodb-lock-wait-timeout=900",
                # On by default since MariaDB 11.6; slurmdbd does not start with it since Slurm 26.05.
                "--loose-innodb-snapshot-isolation=OFF"]

    def _slurmdbd_conf(self):
        return {
            "AuthType": "auth/munge",
            "AuthInfo": f"socket={self._root}/munge/socket",
            "DbdHost": os.uname().nodename.partition(".")[0],
            "DbdAddr": "127.0.0.1",
            "DbdPort": self.port,
            "SlurmUser": "root",
            "StorageType": "accounting_storage/mysql",
            "StorageHost": "localhost",
            "StorageUser": "root",
            "StorageLoc": "slurm_acct_db",
            "LogFile": f"{self._root}/log/slurmdbd.log",
            "PidFile": f"{self._root}/slurmdbd.pid",
            "DebugLevel": "verbose",
        }

# SPDX-License-Identifier: GPL-2.0-or-later
"""What prints results prints JSON, as the schemas say; test/cluster/tools/test_schemas.py looks at what needs a controller."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
import schemas
from test_manual import SOURCE, TOOLS, commands, help_of, options

# What these print is no result: nothing, a picture, and workloads.
WITHOUT = {"vmctl": {"set", "timeline"}, "vmsim": {"generate", "import"}}
SMALL_DUMP = """JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State|AdminComment
1|anna|chem|main|1700000000|1700000000|1700003600|3600|90|4|COMPLETED|vmall: class=short mpl=1 folds=0 useful=40%
2|bert|bio|main|1700000000|1700000000|1700003600|3600|90|4|COMPLETED|
"""


def subcommands():
    return [(tool, name) for tool in WITHOUT for name in commands(help_of(f"{tool}/{tool}"))]


class Json(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.vmsim("generate", "--jobs=40", "--load=0.9", "-o", "log.swf")
        cls.vmsim("run", "-w", "log.swf", "log.swf", "--cores=60", "-p", "easy,least-work", "-o", "several")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def vmsim(cls, *arguments):
        return subprocess.run([TOOLS / "vmsim/vmsim", *arguments], check=True, cwd=cls.folder, stdout=subprocess.PIPE,
                              text=True).stdout

    def check(self, *arguments):
        return schemas.check(f"vmsim-{arguments[0]}", self.vmsim(*arguments, "--json"))

    def test_what_prints_results_has_it_and_a_schema(self):
        having = {tool: set() for tool in WITHOUT}
        for tool, name in subcommands():
            if "--json" in options(help_of(f"{tool}/{tool}", name)):
                having[tool].add(name)
                self.assertTrue((schemas.FOLDER / f"{tool}-{name}.json").exists(), name)
        lacking = {tool: {name for of, name in subcommands() if of == tool} - names for tool, names in having.items()}
        self.assertEqual(lacking, WITHOUT)

    def test_schemas_are_installed_and_named_in_the_manual(self):
        makefile = (SOURCE / "doc/Makefile.am").read_text(encoding="utf-8")
        for path in schemas.FOLDER.iterdir():
            tool = path.name.partition("-")[0]
            self.assertIn(f"schema/{path.name}", makefile)
            self.assertIn(path.name, (SOURCE / f"doc/man/{tool}.1").read_text(encoding="utf-8").replace("\\-", "-"))

    def test_run(self):
        printed = self.check("run", "-w", "log.swf", "--cores=60", "-p", "easy,fcfs", "-o", "out")
        self.assertEqual([result["policy"] for result in printed["results"]], ["easy", "fcfs"])
        self.assertEqual(printed, schemas.check("vmsim-run", (self.folder / "out/summary.json").read_text()))

    def test_study(self):
        printed = self.check("study", "log.swf", "--cores=60", "--no-picture", "-o", "study")
        self.assertTrue(printed["finished"])
        self.assertEqual(printed, schemas.check("vmsim-study", (self.folder / "study/summary.json").read_text()))

    def test_compare(self):
        first, other = self.check("compare", "several")["results"]
        self.assertEqual((first["policy"], other["policy"]), ("easy", "least-work"))
        wait = first["measures"][0]
        self.assertEqual((wait["group"], wait["measure"], wait["ratio"]["mean"]), ("selected", "wait_seconds", 1))
        self.assertLessEqual(wait["value"]["low"], wait["value"]["high"])

    def test_policies(self):
        printed = self.check("policies")["policies"]
        self.assertEqual([policy["name"] for policy in printed if policy["default"]], ["least-work"])

    def test_advise(self):
        (self.folder / "dump.txt").write_text(SMALL_DUMP)
        first, other = self.check("advise", "dump.txt")["advice"]
        self.assertEqual(first["group"], {"partition": "main", "account": "chem"})
        self.assertEqual((first["useful_percent"], first["idle_core_hours"]), (40, 2.4))
        self.assertIsNone(other["useful_percent"])

    def test_what_is_not_in_the_schema_is_found(self):
        for wrong in ('{"policies": []}', '{"policies": [{"name": "a", "description": "b", "default": true, "more": 1}]}'):
            with self.assertRaises(jsonschema.ValidationError):
                schemas.check("vmsim-policies", wrong)

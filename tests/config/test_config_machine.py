"""How much of the machine may be used, as control groups of both versions say it."""

import math
import os
from pathlib import Path

import pytest

from ragcrawler.config.machine import ControlGroups, usable_cpus, usable_memory_bytes

UNLIMITED_V1 = "9223372036854771712"


def groups(folder: Path, membership: str, files: dict[str, str]) -> ControlGroups:
    (folder / "membership").write_text(membership)
    for name, content in files.items():
        path = folder / "mount" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")
    return ControlGroups(folder / "membership", folder / "mount")


@pytest.mark.parametrize(
    ("membership", "files", "cpus", "memory"),
    [
        pytest.param("", {}, math.inf, math.inf, id="no groups"),
        pytest.param(
            "0::/\n", {"cpu.max": "max 100000", "memory.max": "max"}, math.inf, math.inf, id="no limits"
        ),
        pytest.param(
            "0::/\n", {"cpu.max": "150000 100000", "memory.max": "1000"}, 1.5, 1000, id="a container"
        ),
        pytest.param(
            "0::/a.slice/b.service\n",
            {"a.slice/cpu.max": "200000 100000", "a.slice/b.service/cpu.max": "max 100000"},
            2,
            math.inf,
            id="a limit of the group above",
        ),
        pytest.param(
            "0::/../elsewhere\n", {"cpu.max": "50000 100000"}, 0.5, math.inf, id="a path that is not mounted"
        ),
        pytest.param(
            "4:cpu,cpuacct:/docker/1\n3:memory:/docker/1\n",
            {
                "cpu,cpuacct/cpu.cfs_quota_us": "300000",
                "cpu,cpuacct/cpu.cfs_period_us": "100000",
                "memory/docker/1/memory.limit_in_bytes": "2000",
                "memory/memory.limit_in_bytes": UNLIMITED_V1,
            },
            3,
            2000,
            id="version 1",
        ),
        pytest.param(
            "4:cpu:/\n",
            {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"},
            math.inf,
            math.inf,
            id="version 1 without a limit",
        ),
    ],
)
def test_limits_of_control_groups(
    tmp_path: Path, membership: str, files: dict[str, str], cpus: float, memory: float
) -> None:
    found = groups(tmp_path, membership, files)
    assert (found.cpus(), found.memory_bytes()) == (cpus, memory)


def test_a_part_of_a_cpu_counts_as_one_and_no_more_are_used_than_the_process_may_run_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    assert usable_cpus(groups(tmp_path, "", {})) == 3
    assert usable_cpus(groups(tmp_path, "0::/", {"cpu.max": "20000 100000"})) == 1
    assert usable_cpus(groups(tmp_path, "0::/", {"cpu.max": "110000 100000"})) == 2
    assert usable_cpus(groups(tmp_path, "0::/", {"cpu.max": "900000 100000"})) == 3


def test_the_memory_is_the_machine_s_or_the_group_s_whichever_is_less(tmp_path: Path) -> None:
    machine = usable_memory_bytes(groups(tmp_path, "", {}))
    assert machine == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert usable_memory_bytes(groups(tmp_path, "0::/", {"memory.max": "4096"})) == 4096
    assert usable_memory_bytes(groups(tmp_path, "0::/", {"memory.max": str(machine * 2)})) == machine

"""A private Tor network on loopback: directory authorities and exits; a test brings the clients."""

import contextlib
import os
import random
import socket
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

_AUTHORITIES = 1
_EXITS = 3
SITE_NAME = "site.onlyexits.org"
"""A name that the exits alone can resolve: whoever reaches it has come through them."""


def free_ports(count: int) -> list[int]:
    """Ports side by side, below those that the system gives to outgoing connections."""
    for first in random.sample(range(12_000, 32_000 - count), 100):
        ports = list(range(first, first + count))
        if all(_is_free(port) for port in ports):
            return ports
    raise OSError(f"no {count} free ports side by side")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@contextlib.contextmanager
def tor_network(folder: Path) -> Iterator[str]:
    """Run the network; gives the lines that a client's torrc needs to live in it."""
    (folder / "empty").write_text("")
    ports = iter(free_ports(2 * _AUTHORITIES + _EXITS))
    torrcs, authorities = [], []
    for number in range(_AUTHORITIES):
        name, or_port, dir_port = f"auth{number}", next(ports), next(ports)
        home = _home(folder, name)
        authorities.append(_authority_line(home, name, or_port, dir_port))
        torrcs.append(
            (home, _RELAY.format(or_port=or_port, name=name) + _AUTHORITY.format(dir_port=dir_port))
        )
    for number in range(_EXITS):
        relay = _RELAY.format(or_port=next(ports), name=f"exit{number}")
        torrcs.append((_home(folder, f"exit{number}"), relay + _EXIT.format(folder=folder)))
    common = "\n".join(["TestingTorNetwork 1", "ShutdownWaitLength 0", *authorities, ""])
    with _name_server() as name_server:
        (folder / "resolv.conf").write_text(f"nameserver {name_server}\n")
        with _running(folder, common, torrcs):
            yield common


@contextlib.contextmanager
def _running(folder: Path, common: str, torrcs: list[tuple[Path, str]]) -> Iterator[None]:
    processes = []
    try:
        for home, torrc in torrcs:
            own = [f"DataDirectory {home}", f"Log notice file {home}/notice.log"]
            own.append(f"__OwningControllerProcess {os.getpid()}")
            (home / "torrc").write_text("\n".join([common, *own, torrc]))
            command = ["tor", "-f", str(home / "torrc"), "--defaults-torrc", str(folder / "empty"), "--hush"]
            processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


@contextlib.contextmanager
def _name_server() -> Iterator[str]:
    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), _NameServer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


class _NameServer(socketserver.BaseRequestHandler):
    """Answers questions for the address of one name with loopback (RFC 1035)."""

    def handle(self) -> None:
        query, sock = self.request
        end = query.index(b"\0", 12) + 5
        labels = b"".join(bytes([len(label)]) + label for label in SITE_NAME.encode().split(b"."))
        is_ours = query[12:end].lower() == labels + b"\0\0\x01\0\x01"
        # Compressed name, type A, class IN, 60 seconds, 4 bytes.
        answer = b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04\x7f\0\0\x01" if is_ours else b""
        flags, count = b"\x85\x80", bytes([0, int(is_ours)])
        header = query[:2] + flags + b"\0\x01" + count + b"\0\0\0\0"
        sock.sendto(header + query[12:end] + answer, self.client_address)


def _home(folder: Path, name: str) -> Path:
    home = folder / name
    (home / "keys").mkdir(parents=True, mode=0o700)
    home.chmod(0o700)
    return home


def _authority_line(home: Path, name: str, or_port: int, dir_port: int) -> str:
    keys = home / "keys"
    files = ("authority_identity_key", "authority_signing_key", "authority_certificate")
    options = [word for pair in zip(("-i", "-s", "-c"), files, strict=True) for word in pair]
    command = ["tor-gencert", "--create-identity-key", "--passphrase-fd", "0", *options]
    subprocess.run(
        [*command, "-m", "12", "-a", f"127.0.0.1:{dir_port}"],
        cwd=keys,
        input=b"words\n",
        check=True,
        capture_output=True,
    )
    certificate = (keys / "authority_certificate").read_text().splitlines()
    identity = next(line.split()[1] for line in certificate if line.startswith("fingerprint "))
    empty = str(home.parent / "empty")
    listing = ["tor", "--quiet", "--list-fingerprint", "-f", empty, "--defaults-torrc", empty]
    own = ["--DataDirectory", str(home), "--ORPort", str(or_port), "--Nickname", name]
    nowhere = ["--DirAuthority", "x orport=1 127.0.0.1:1 " + "F" * 40]
    subprocess.run([*listing, *own, *nowhere], check=True, capture_output=True)
    fingerprint = (home / "fingerprint").read_text().split()[1]
    return f"DirAuthority {name} orport={or_port} no-v2 v3ident={identity} 127.0.0.1:{dir_port} {fingerprint}"


_RELAY = """Address 127.0.0.1
ORPort 127.0.0.1:{or_port}
AssumeReachable 1
SocksPort 0
ContactInfo test@test.invalid
Nickname {name}
"""
_AUTHORITY = """AuthoritativeDirectory 1
V3AuthoritativeDirectory 1
DirPort 127.0.0.1:{dir_port}
TestingV3AuthInitialVotingInterval 10
TestingV3AuthInitialVoteDelay 2
TestingV3AuthInitialDistDelay 2
V3AuthVotingInterval 10
V3AuthVoteDelay 2
V3AuthDistDelay 2
V3AuthNIntervalsValid 3
TestingDirAuthVoteExit *
TestingDirAuthVoteGuard *
TestingMinExitFlagThreshold 0
ExitPolicy reject *:*
"""
_EXIT = """ExitRelay 1
ExitPolicyRejectPrivate 0
ExitPolicyRejectLocalInterfaces 0
ExitPolicy accept *:*
ServerDNSResolvConfFile {folder}/resolv.conf
ServerDNSDetectHijacking 0
ServerDNSTestAddresses 127.0.0.1
ServerDNSAllowBrokenConfig 1
"""

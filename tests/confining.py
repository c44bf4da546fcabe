"""A process that the kernel ends when it asks for the network, whichever language the call comes from. Linux only."""

from __future__ import annotations

import platform
import signal
import sys

ENDED = -signal.SIGSYS
"""How such a process ends."""
CAN_CONFINE = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")

CONFINE = """
import ctypes, platform, struct

def confine(*, may_listen):
    "No thread of this process connects from now on; without `may_listen` none opens a network socket either."
    arch, socket, connect = {"x86_64": (0xC000003E, 41, 42), "aarch64": (0xC00000B7, 198, 203)}[platform.machine()]
    LOAD, IS, RETURN, END, ALLOW = 0x20, 0x15, 0x06, 0x80000000, 0x7FFF0000
    steps = [(LOAD, 0, 0, 4), (IS, 1, 0, arch), (RETURN, 0, 0, ALLOW)]  # another machine's calls have other numbers
    steps += [(LOAD, 0, 0, 0), (IS, 0, 1, connect), (RETURN, 0, 0, END)]
    if not may_listen:  # the first argument of a socket is its family: 2 and 10 are the two of the internet
        steps += [(IS, 0, 4, socket), (LOAD, 0, 0, 16), (IS, 1, 0, 2), (IS, 0, 1, 10), (RETURN, 0, 0, END)]
    steps += [(RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0, "no new privileges"
    assert libc.prctl(22, 2, struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)), 0, 0) == 0, "no filter"

"""
"""The beginning of a program for `python -c`."""

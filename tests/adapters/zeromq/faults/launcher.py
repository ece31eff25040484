"""Starts the program ``cosim`` many times: imports it once, then forks for each run.

One line of JSON for each run on standard input: arguments, folder, environment; answers with
the number of the process, and when it has ended, with its status and the time.
"""

import json
import os
import sys
import time
import warnings

warnings.simplefilter("error")

import adapters.zeromq.adapter  # noqa: E402, F401
import cosim.case.read  # noqa: E402
import cosim.case.run  # noqa: E402
import cosim.cli.run_command  # noqa: E402
import cosim.results.netcdf  # noqa: E402, F401
from cosim.cli.main import main  # noqa: E402


def answer(**words):
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def become(task):
    """Go on as the program itself, to the very end of the interpreter."""
    os.chdir(task["folder"])
    os.environ.update(task["environment"])
    sys.argv = ["cosim", *task["arguments"]]
    for name, number in (("stdout", 1), ("stderr", 2)):
        file = os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    main()


def serve():
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            become(json.loads(line))
            return
        answer(pid=child)
        _, status = os.waitpid(child, 0)
        answer(code=os.waitstatus_to_exitcode(status), at=time.monotonic())


if __name__ == "__main__":
    serve()

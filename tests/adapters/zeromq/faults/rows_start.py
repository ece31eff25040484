"""Programs that cannot be started or found, and peers that do not fit the case."""

from .harness import PEERS, adapter
from .row import BUSY, CONNECT, FOLDER, LAUNCHED, NONE, Row, one

GOOD = str(PEERS / "good_peer.py")
BROKEN = "def update(at)\n    return at\n"
DIFFER = "adapter 'rotor': peer 'rotor' ('COMMAND') and the case do not agree:"
WAITED = "within 2 s; start the peer first, one in Python with 'COMMAND'"
AT_TCP = "tcp://127.0.0.1:@port@"


def start(name, what, sees, adapters, **options):
    """A row of a run that does not begin."""
    return Row(name, what, sees, adapters, results=NONE, **options)


def launch(*words):
    return one(launch=list(words))


ROWS = [
    start(
        "no_program",
        "there is no such program",
        "adapter 'rotor': there is no program 'bladed' to launch; correct 'launch'",
        launch("bladed", "--now"),
    ),
    start(
        "not_executable",
        "the program is not executable",
        "adapter 'rotor': 'rotor.sh' cannot be launched, it is not executable; name the program "
        "that runs it in 'launch', or make it executable with chmod +x",
        launch("rotor.sh"),
        files={"rotor.sh": "exit 0\n"},
    ),
    start(
        "no_script",
        "there is no such script",
        f"{LAUNCHED} exited with code 2; its last words: python: can't open file "
        f"'FOLDER/nothing.py': [Errno 2] No such file or directory{FOLDER}",
        launch("{python}", "nothing.py"),
    ),
    start(
        "exits_without_a_word",
        "program ends at once",
        f"adapter 'rotor' at t = T s: 'true' exited with code 0 and said nothing{FOLDER}",
        launch("true"),
    ),
    start(
        "syntax_error",
        "script has a syntax error",
        f'{LAUNCHED} exited with code 1; its last words: File "broken.py", line 1 | '
        f"def update(at) | ^ | SyntaxError: expected ':'{FOLDER}",
        launch("{python}", "broken.py"),
        files={"broken.py": BROKEN},
    ),
    start(
        "never_listens",
        "program runs, and never listens",
        f"{LAUNCHED} runs, but nothing has answered at SOCKET within 2 s; it must listen where "
        f"COSIM_ENDPOINT says; its last words: looking for a licence{FOLDER}",
        one("never-listens"),
        after=CONNECT,
    ),
    start(
        "nobody",
        "nobody listens at the address",
        f"adapter 'rotor' at t = T s: nothing has answered at ipc://nobody {WAITED}",
        one(address="ipc://@folder@/nobody"),
        after=CONNECT,
    ),
    start(
        "no_peer",
        "what listens at the address is no peer",
        f"adapter 'rotor' at t = T s: nothing has answered at tcp://127.0.0.1:PORT {WAITED}",
        one(address=AT_TCP),
        after=CONNECT,
    ),
    start(
        "port_in_use",
        "the port is in use",
        f"adapter 'rotor' at t = T s: 'COMMAND' exited with code 5; its last words: peer 'damper': "
        f"cannot listen at 'tcp://127.0.0.1:PORT': another program does; end it, or choose another "
        f"endpoint{FOLDER}",
        launch("env", f"COSIM_ENDPOINT={AT_TCP}", "{python}", GOOD),
    ),
    start(
        "socket_in_use",
        "another peer listens there",
        f"adapter 'rotor' at t = T s: 'COMMAND' exited with code 5; its last words: peer 'damper': "
        f"cannot listen at 'ipc://peer': another program does; end it, or choose another endpoint"
        f"{FOLDER}",
        launch("env", "COSIM_ENDPOINT=ipc://@folder@/peer", "{python}", GOOD),
        beside="good_peer.py",
    ),
    start(
        "busy",
        "two adapters call one running peer",
        "adapter 'wind' at t = T s: ipc://peer: busy with run 'NAME'",
        {name: adapter(address="ipc://@folder@/peer") for name in ("rotor", "wind")},
        after=BUSY,
        beside="good_peer.py",
    ),
    start(
        "one_name_twice",
        "two adapters with one name",
        "case.yaml:1: key 'rotor' stands twice; keep one",
        {"rotor": adapter("none"), "wind": adapter("none")},
        code=2,
        spoil=('"wind"', '"rotor"'),
    ),
    start(
        "wrong_mode",
        "another mode than the case says",
        f"{DIFFER} it is of mode 'advance'; write 'mode: advance'",
        one("none --mode advance"),
    ),
    start(
        "wrong_states",
        "another number of states",
        f"{DIFFER} it has 2 states; write 'states: 2'",
        one("none --states 2"),
    ),
    start(
        "other_bodies",
        "other bodies",
        f"{DIFFER} it has other bodies; write 'bodies: {{ship: ...}}', with those of the case",
        one("other-bodies --op hello"),
    ),
]

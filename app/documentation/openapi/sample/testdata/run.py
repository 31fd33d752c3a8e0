"""Runs scripts one after another; trials.json says which."""

import contextlib
import io
import json
import pathlib
import sys
import traceback

failed = False
for trial in json.loads(pathlib.Path("trials.json").read_text()):
    source = pathlib.Path(trial["script"]).read_text(encoding="utf-8")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, trial["script"], "exec"), {})
    except Exception:
        print(trial["script"], traceback.format_exc(), file=sys.stderr)
        failed = True
sys.exit(failed)

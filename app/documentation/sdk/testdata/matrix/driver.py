import sys
import threading
import time

from matrix import AbortedError, APIError, Client, ConflictError, File, NotFoundError, RequestOptions, TimeoutError

client = Client(base_url=sys.argv[1], key="k1", query_key="k2", cookie_key="k3", token="k4", login="user:pass", headers={"X-Own": "mine"})
things, auth = client.things, client.auth
data = bytes(range(256))


def success():
    thing = things.get_thing(id="ok")
    return "%s %s %s" % (thing["id"], thing["big"], thing["at"])


def authentication():
    return " ".join(c["seen"] for c in (auth.by_header(), auth.by_query(), auth.by_cookie(), auth.by_bearer(), auth.by_basic()))


def missing():
    try:
        things.get_thing(id="missing")
    except NotFoundError as e:
        assert isinstance(e, APIError)
        return "%s %s %s %s %s" % (e.status, e.code, e.request_id, e.link, e.message)


def conflict():
    try:
        things.get_thing(id="conflict")
    except ConflictError as e:
        return str(e.status)


def seconds():
    return things.get_thing(id="seconds")["id"]


def date():
    return things.get_thing(id="date")["id"]


def down():
    return things.get_thing(id="down")["id"]


def slow():
    try:
        things.get_thing(id="slow", options=RequestOptions(timeout=0.3, max_retries=0))
    except TimeoutError:
        return "timeout"


def cancelled():
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    start = time.monotonic()
    try:
        things.get_thing(id="busy", options=RequestOptions(cancel=cancel))
    except AbortedError:
        return "soon" if time.monotonic() - start < 3 else "late"


def redirect():
    return things.get_thing(id="redirect")["id"]


def upload():
    return things.upload(body={"meta": {"title": "é"}, "file": File(data, name="a.png")})["id"]


def binary():
    got = things.download(id="all").read()
    return "%d %d %s" % (len(got), got[255], things.replace_file(id="all", body=data)["id"])


def nulls():
    thing = things.put_thing(id="nulls", body={"id": "nulls", "note": None, "count": 0, "flag": False})
    return "%s %s" % ("null" if thing.get("note", 1) is None else "", "" if "count" in thing else "absent")


def unknown():
    return things.put_thing(id="unknown", body=things.get_thing(id="unknown"))["id"]


def enums():
    return things.get_thing(id="enums").get("status")


def pages():
    return "".join(thing["id"] for thing in things.list_things_all(limit=2))


def idempotent():
    return things.create_thing(body={"id": "idempotent"})["id"]


for name in sys.argv[2:]:
    try:
        result = globals()[name]()
    except Exception as e:
        result = repr(e)
    print("%s: %s" % (name, result))

# The cases of driver.py with a client of Redocly's generate-client.
import asyncio
import sys
import time
import uuid

from client import ApiError, ApiTimeoutError, AsyncClient, Client, Thing

options = {
    "auth": {"apiKey": {"key": "k1", "queryKey": "k2", "cookieKey": "k3"}, "bearer": "k4", "basic": {"username": "user", "password": "pass"}},
    "headers": {"X-Own": "mine"}, "retry": {"retries": 2}, "idempotency_key": lambda: str(uuid.uuid4()),
}
client = Client(sys.argv[1], **options)
data = bytes(range(256))


def success():
    thing = client.get_thing("ok")
    return "%s %s %s" % (thing.id, thing.big, thing.at)


def authentication():
    return " ".join(c.seen for c in (client.by_header(), client.by_query(), client.by_cookie(), client.by_bearer(), client.by_basic()))


def missing():
    try:
        client.get_thing("missing")
    except ApiError as e:
        return "%s %s %s %s %s" % (e.status, e.body.get("code"), getattr(e, "request_id", None), e.body.get("type"), e.body.get("detail"))


def conflict():
    try:
        client.get_thing("conflict")
    except ApiError as e:
        return str(e.status)


def seconds():
    return client.get_thing("seconds").id


def date():
    return client.get_thing("date").id


def down():
    return client.get_thing("down").id


def slow():
    try:
        client.get_thing("slow", timeout=0.3, retry={"retries": 0})
    except ApiTimeoutError:
        return "timeout"


def cancelled():
    start = time.monotonic()
    try:
        asyncio.run(asyncio.wait_for(AsyncClient(sys.argv[1], **options).get_thing("busy"), 0.3))
    except asyncio.TimeoutError:
        return "soon" if time.monotonic() - start < 3 else "late"


def redirect():
    return client.get_thing("redirect").id


def upload():
    return client.upload({"meta": {"title": "é"}, "file": data}).id


def binary():
    got = client.download("all")
    sent = client.replace_file("all", data).id
    return "%s %s" % (got if got is None else "%d %d" % (len(got), got[255]), sent)


def nulls():
    thing = client.put_thing("nulls", Thing(id="nulls", note=None, count=0, flag=False))
    return "%s %s" % ("null" if thing.note is None else "", "absent" if not hasattr(thing, "count") else "")


def unknown():
    return client.put_thing("unknown", client.get_thing("unknown")).id


def enums():
    return client.get_thing("enums").status


def pages():
    return "".join(thing.id for thing in client.list_things_items(limit=2))


def idempotent():
    return client.create_thing(Thing(id="idempotent")).id


for name in sys.argv[2:]:
    try:
        result = globals()[name]()
    except Exception as e:
        result = repr(e).replace("\n", " ")
    print("%s: %s" % (name, result))

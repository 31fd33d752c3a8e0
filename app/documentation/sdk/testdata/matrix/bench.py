import json
import sys
import time

import requests

from matrix import Client

url = sys.argv[1]
client = Client(base_url=url, key="k1")
session = requests.Session()


def library():
    return client.things.get_thing(id="ok")


def hand():
    response = session.get(url + "/things/ok", headers={"Accept": "application/json", "X-Key": "k1"}, timeout=30)
    response.raise_for_status()
    return response.json()


def measure(call):
    start = time.perf_counter()
    for _ in range(500):
        call()
    return (time.perf_counter() - start) / 500 * 1000


measure(library), measure(hand)
rounds = [(measure(library), measure(hand)) for _ in range(5)]
print(json.dumps({"library": min(r[0] for r in rounds), "hand": min(r[1] for r in rounds)}))

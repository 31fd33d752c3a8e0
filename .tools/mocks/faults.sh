#!/bin/bash
# Asks the mock server and WireMock for the same four faults, and compares what curl says of
# each: its exit code and its message. It fails where they differ, and where two faults of
# one server look alike. Java must be installed, and the portal must run:
#
#   npm install --no-package-lock --prefix .tools/mocks
#   heliograph dev
#   .tools/mocks/faults.sh http://localhost:8080
set -u
portal=${1:-http://localhost:8080}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
java -jar "$here"/node_modules/wiremock/build/wiremock-standalone-*.jar --port 4012 --root-dir "$work" > "$work/log" 2>&1 &
wiremock=$!
trap 'kill $wiremock; rm -rf "$work"' EXIT
for _ in $(seq 240); do
	curl -sf -o /dev/null http://127.0.0.1:4012/__admin/mappings && break
	kill -0 $wiremock || { cat "$work/log"; exit 1; }
	sleep 0.5
done

# asked prints the exit code of a request and what curl says, without the port.
asked() {
	local said code
	said=$(curl -sS -m 20 -o /dev/null "$@" 2>&1)
	code=$?
	echo "$code ${said#curl: }"
}

status=0
seen=
printf '%-28s %-10s %-70s %s\n' WireMock ours 'curl of WireMock' 'curl of ours'
while read -r theirs ours; do
	curl -sf -o /dev/null -d "{\"request\":{\"url\":\"/$theirs\"},\"response\":{\"fault\":\"$theirs\"}}" http://127.0.0.1:4012/__admin/mappings || exit 1
	a=$(asked "http://127.0.0.1:4012/$theirs")
	b=$(asked -H "Prefer: fault=$ours" "$portal/mock/business-messaging/3.0/getuserdetails" -H 'apikey: key')
	printf '%-28s %-10s %-70s %s\n' "$theirs" "$ours" "$a" "$b"
	[[ $a == "$b" ]] || status=1
	[[ $seen != *"|$b|"* ]] || status=1
	seen+="|$b|"
done <<- END
	EMPTY_RESPONSE empty
	MALFORMED_RESPONSE_CHUNK malformed
	RANDOM_DATA_THEN_CLOSE random
	CONNECTION_RESET_BY_PEER reset
END
exit $status

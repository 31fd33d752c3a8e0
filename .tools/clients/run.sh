#!/bin/bash
# Generates clients with Redocly's generate-client and checks their types with the tools
# and floors that the drill of our own client libraries uses:
#
#   .tools/clients/run.sh db/seed/*.yaml
#
# Prints a line for each document and language: what was generated and how many lines
# the checker complains.
set -u
tools=$(cd "$(dirname "$0")/.." && pwd)/node_modules/.bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for document in "$@"; do
	document=$(realpath "$document")
	for language in typescript python go php java; do
		folder=$work/$(basename "$document")/$language
		mkdir -p "$folder" && cd "$folder" || exit 1
		if ! "$tools/redocly" generate-client "$document" -o "$folder/client.ts" --generator "$language" > log 2>&1; then
			echo "$(basename "$document") $language: refused, $(grep -o 'The API description has [0-9]* error(s)' log | head -1)"
			continue
		fi
		rm -f log
		case $language in
		typescript) said=$("$tools/tsc" --strict --noEmit --target es2022 --lib es2022,dom,dom.asynciterable --module nodenext --types '' client.ts 2>&1) ;;
		python) said=$(python3 -W error -m compileall -q . 2>&1; "$tools/pyright" --pythonversion 3.9 --warnings . 2>&1 | grep -v '^0 errors, 0 warnings') ;;
		go) [[ -f go.mod ]] || go mod init client > /dev/null 2>&1; said=$(GOWORK=off go vet ./... 2>&1) ;;
		php) said=$(find . -name '*.php' -exec php -d display_errors=1 -d error_reporting=-1 -l {} \; | grep -v '^No syntax errors') ;;
		java) said=$(find . -name '*.java' -exec javac --release 11 -Xlint:all -Werror -d out {} + 2>&1) ;;
		esac
		echo "$(basename "$document") $language: $(printf '%s' "$said" | grep -c .) lines of complaints"
	done
done

#!/usr/bin/env bash
# Somebody else writes: chatter.sh STORE [MESSAGES [SECONDS]] imports made-up messages into conversations of the store, a
# process and a commit each, with a pause before each.
set -euo pipefail

store=${1:?"usage: chatter.sh STORE [MESSAGES [SECONDS]]"}
messages=${2:-100}
pause=${3:-0.5}
satchel=${SATCHEL:-$(dirname "$0")/../.build/release/satchel}
texts=('Noon?' 'Sure, see you there.' 'On my way' 'Have you seen this?' 'Ha!' 'Tomorrow, then.' 'Call me when you are up.')

# Identifiers of the shell's own: no conversation of the generated chats needs quoting.
conversations=()
while read -r identifier; do conversations+=("$identifier"); done \
  < <("$satchel" query "$store" conversations --select identifiers --format json | tr -d '"')
for ((number = 0; number < messages; number++)); do
  sleep "$pause"
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  printf '%s\n' '{"kind":"header","format":"satchel-interchange","version":1}' \
    "{\"kind\":\"message\",\"identifier\":\"chatter-$$-$number\",\"conversation\":\"${conversations[RANDOM % ${#conversations[@]}]}\",\"sender\":\"bob\",\"sentAt\":\"$now\",\"receivedAt\":\"$now\",\"isUnread\":true,\"parts\":[{\"mimeType\":\"text/plain\",\"text\":\"${texts[RANDOM % ${#texts[@]}]}\"}]}" \
    | "$satchel" import "$store" - >/dev/null
done

#!/usr/bin/env bash
# Imports a made-up chat of 100,000 messages and asks it the example queries of the manual, one by one: the query, the
# first of its results, the plan and what running it took. The store is a temporary one unless DEMO_STORE names a place.
set -euo pipefail

cd "$(dirname "$0")/.."
satchel=${SATCHEL:-.build/release/satchel}
messages=${DEMO_MESSAGES:-100000}
[ -x "$satchel" ] || { echo "$satchel is missing: make build" >&2; exit 1; }

if [ -n "${DEMO_STORE:-}" ]; then
  store=$DEMO_STORE
  [ ! -e "$store" ] || { echo "$store exists already: remove it, or name another place in DEMO_STORE" >&2; exit 1; }
else
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  store=$temporary/store
fi

bold='' dim='' plain=''
if [ -t 1 ]; then
  bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'
  export COLUMNS=$(($(tput cols 2>/dev/null || echo 112) - 2))
fi
TIMEFORMAT='%1R s'

heading() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# The conversations that the metadata examples assume. Each has a message, because empty ones are not shown.
examples() {
  echo '{"kind":"header","format":"satchel-interchange","version":1}'
  local number=0 name metadata
  while read -r name metadata; do
    number=$((number + 1))
    printf '{"kind":"conversation","identifier":"%s","participants":["alice","noah"],"createdAt":"%s","metadata":%s}\n' \
      "$name" "2026-06-29T09:0$number:00Z" "$metadata"
    printf '{"kind":"message","identifier":"%s/hello","conversation":"%s","sender":"noah","position":0,"sentAt":"%s","receivedAt":"%s","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Hello from %s"}]}\n' \
      "$name" "$name" "2026-06-29T09:0$number:30Z" "2026-06-29T09:0$number:31Z" "$name"
  done <<'END'
nested {"first":{"second":{"third":"NestedResult"}}}
nested-value {"first":{"second":{"third":"value"}}}
blue {"backgroundColor":"blue"}
red-with-title {"backgroundColor":"red","title":"testUser"}
dictionary {"1":{"2":"Hello","3":{"4":"Hola","5":"Hey"}},"6":"Hi"}
END
}

# ask HEADING SELECT KIND ARGUMENTS…: shows a query, its answer and its plan.
ask() {
  local title=$1 select=$2 kind=$3 shown='' argument count
  shift 3
  heading "$title"
  for argument in "$@"; do
    case $argument in
      *[!A-Za-z0-9.,-]*) shown+=" \"$argument\"" ;;
      *) shown+=" $argument" ;;
    esac
  done
  if [ "$select" = count ]; then shown+=" --select count"; fi
  printf '%ssatchel query STORE %s%s%s\n\n' "$dim" "$kind" "$shown" "$plain"
  count=$("$satchel" query "$store" "$kind" "$@" --select count)
  if [ "$count" = 1 ]; then echo "1 ${kind%s}"; else echo "$count $kind"; fi
  if [ "$select" = objects ]; then
    "$satchel" query "$store" "$kind" "$@" --limit 3 --format table | sed 's/^/  /'
  fi
  # The plan, the path that it takes with its exact number of rows, and what running it took.
  printf '%s' "$dim"
  "$satchel" explain "$store" "$kind" "$@" --select "$select" --run --format table \
    | sed -n -e 's/^plan: /  plan  /p' -e 's/^\* /  path  /p' -e 's/^read: /  read  /p'
  printf '%s' "$plain"
}

# The value of a key in the first line of a query's JSON.
value() {
  local key=$1
  shift
  "$satchel" query "$store" "$@" --limit 1 --format json | sed -n "s/.*\"$key\":\"\([^\"]*\)\".*/\1/p"
}

# A week before a date; the two dialects of date(1).
week_before() {
  date -u -d "$1 - 7 days" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null \
    || date -j -u -v-7d -f %Y-%m-%dT%H:%M:%SZ "$1" +%Y-%m-%dT%H:%M:%SZ
}

heading "A chat of $messages messages, made up and imported for alice"
time "$satchel" generate --messages "$messages" --seed 1 | "$satchel" import "$store" - --as alice
examples | "$satchel" import "$store" - >/dev/null
"$satchel" verify "$store"

conversation=$(value identifier conversations --sort -lastMessage.receivedAt --where "messageCount > 20")
sender=$(value sender messages --where "conversation = '$conversation' AND sender.userID != 'alice'")
newest=$(value sentAt messages --sort -sentAt)
week=$(week_before "${newest%%[.Z]*}Z")

ask 'Fetching all conversations' objects conversations
ask 'Fetching a conversation with a particular ID' objects conversations --where "identifier = '$conversation'"
ask 'Fetching all conversations with a certain set of participants' objects conversations \
  --where "participants = {'alice', 'noah'}"
ask 'Fetching all messages' objects messages
ask 'Counting unread messages' count messages --where "isUnread = TRUE AND sender.userID != 'alice'"
ask 'Fetching all messages in a particular conversation' objects messages \
  --where "conversation = '$conversation'" --sort position
ask 'Fetching messages sent in the past week' objects messages --where "sentAt > '$week'"
ask 'Fetching messages containing PNGs' objects messages --where "parts.MIMEType = 'image/png'"
ask 'Fetching message parts containing PNGs' objects parts --where "MIMEType = 'image/png'"
ask 'Fetching conversations with specific metadata' objects conversations \
  --where "metadata.first.second.third = 'value'"
ask 'Fetching multiple conversations with specific metadata' objects conversations \
  --where "metadata.backgroundColor IN {'red', 'blue'}"
ask 'Compound predicates: messages in a certain conversation that were sent by a certain user' count messages \
  --where "sender.userID = '$sender' AND conversation = '$conversation'"
ask 'Compound predicates: a background color that is either red or blue, and the title testUser' objects conversations \
  --where "metadata.backgroundColor IN {'red', 'blue'} AND metadata.title = 'testUser'"

heading 'The store'
if [ -n "${DEMO_STORE:-}" ]; then
  echo "$store is yours to ask: $satchel query $store messages --where \"parts.text CONTAINS 'coffee'\""
else
  echo "$store was temporary and is removed now; DEMO_STORE=./demo make demo keeps it."
fi

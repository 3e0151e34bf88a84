#!/usr/bin/env bash
# Builds the package of Examples (in a build directory of the caller's, if one is given) and runs its programs without a
# terminal: on a generated store, the chat while another process imports into it.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
satchel=${SATCHEL:-$repository/.build/release/satchel}
build=${1:-$repository/Examples/.build}
[ -x "$satchel" ] || { echo "$satchel is missing: make build" >&2; exit 1; }

work=$(mktemp -d)
chat=
trap '[ -z "$chat" ] || kill "$chat" 2>/dev/null || true; rm -rf "$work"' EXIT

swift build -c release --package-path "$repository/Examples" --scratch-path "$build" \
  >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
if grep -F '/Examples/Sources/' "$work/build.log" | grep -q 'warning:'; then cat "$work/build.log" >&2; exit 1; fi

"$satchel" generate --messages 500 --seed 1 | "$satchel" import "$work/store" - --as alice >/dev/null
mkfifo "$work/keys"
"$build/release/Chat" "$work/store" <"$work/keys" >"$work/pictures" 2>"$work/errors" &
chat=$!
exec 3>"$work/keys"

# shows WHAT TEXT: waits for a text in the pictures, for a minute at most.
shows() {
  for ((turn = 0; turn < 600; turn++)); do
    if grep -qF -- "$2" "$work/pictures"; then return; fi
    kill -0 "$chat" 2>/dev/null || break
    sleep 0.1
  done
  echo "the chat did not show $1: $2" >&2
  tail -n 20 "$work/pictures" "$work/errors" >&2
  exit 1
}

total=$("$satchel" query "$work/store" conversations --select count)
unread=$("$satchel" query "$work/store" messages --where 'isUnread = TRUE' --select count)
newest=$("$satchel" query "$work/store" conversations --sort -lastMessage.sentAt --limit 1 --select identifiers)
shows 'the store' "$total conversations, $unread unread"

# What another process commits: it is the newest message, unread.
printf '%s\n' '{"kind":"header","format":"satchel-interchange","version":1}' \
  "{\"kind\":\"message\",\"identifier\":\"other\",\"conversation\":$newest,\"sender\":\"bob\",\"sentAt\":\"2040-01-01T00:00:00Z\",\"isUnread\":true,\"parts\":[{\"mimeType\":\"text/plain\",\"text\":\"from elsewhere\"}]}" \
  | "$satchel" import "$work/store" - >/dev/null
shows 'a commit of another process' 'bob: from elsewhere'
shows 'one unread message more' "$total conversations, $((unread + 1)) unread"

member=$("$satchel" query "$work/store" identities --members-of "${newest//\"/}" --sort=-displayName,-userID --limit 1 \
  --columns displayName --format csv | tail -n 1 | tr -d '\r"')
shows 'the members' ", $member"

# Mark as read, write, select the next conversation.
of_newest=$("$satchel" query "$work/store" messages --where "isUnread = TRUE AND conversation = $newest" --select count)
printf m >&3
shows 'the conversation as read' "$total conversations, $((unread + 1 - of_newest)) unread"
printf '\tgood morning\n' >&3
shows 'what was sent' 'Alice: good morning'
printf '/edit good evening\n' >&3
shows 'what was edited' 'Alice: good evening'
shows 'that it was edited' '✎'
printf '/react 👍\n' >&3
shows 'a reaction' '(👍 1) Alice: good evening'
printf '/thread\nfine\n' >&3
shows 'a thread' '1 in reply'
shows 'a reply and the number of replies' '(👍 1, ↳ 1) Alice: good evening'
printf '/thread\n/delete\n' >&3
shows 'what was deleted for everyone' 'Alice: (deleted)'
printf '\tp' >&3
shows 'a pinned conversation' '›*'
printf s >&3
shows 'a muted conversation' '›z'
printf '/elsewhere\n' >&3
shows 'what was found' 'bob: from [elsewhere]'
printf '\n' >&3
shows 'the row of what was found' " messages, at "
printf '\033[B' >&3
second=$("$satchel" query "$work/store" conversations --sort -lastMessage.sentAt --offset 1 --limit 1 --select identifiers)
shows 'the second conversation' \
  "│ $("$satchel" query "$work/store" messages --where "conversation = $second" --select count) messages"

exec 3>&-
wait "$chat"
chat=
[ ! -s "$work/errors" ] || { cat "$work/errors" >&2; exit 1; }

# The small ones. prints WHAT TEXT PROGRAM ARGUMENT...: runs a program, and looks for a text in what it prints.
prints() {
  local what=$1 text=$2 program=$3
  shift 3
  "$build/release/$program" "$@" </dev/null >"$work/printed" 2>&1 || { cat "$work/printed" >&2; exit 1; }
  grep -qF -- "$text" "$work/printed" || { echo "$program did not print $what: $text" >&2; cat "$work/printed" >&2; exit 1; }
}

prints 'the newest conversation' 'no text' Inbox "$work/store" --once
read -r -a unquoted <<<"${newest//\"/}"
of_newest=$("$satchel" query "$work/store" messages --where "conversation = $newest" --select count)
prints 'what is older' "-- $((of_newest > 10 ? of_newest - 10 : 0)) older --" Scrollback "$work/store" "${unquoted[0]}"
title=$("$satchel" query "$work/store" conversations --where 'metadata.title != nil' --limit 1 --columns metadata.title \
  --format csv | tail -n 1 | tr -d '\r"')
found=$("$satchel" query "$work/store" conversations --where "metadata.title = \"$title\"" --select count)
prints 'the conversations of a title' "$found found" Find "$work/store" title "$title"
prints 'the conversations of a beginning' "$title" Find "$work/store" title "${title:0:2}*"

# The to-do list shows what another process adds and does, with the lists that they belong to.
"$build/release/ToDo" "$work/todo" add Work 'Write the report' >"$work/printed"
"$build/release/ToDo" "$work/todo" add Home Rest >"$work/printed"
printf '%s\n' '  Home: Rest' '  Work: Write the report' | diff - "$work/printed"
"$build/release/ToDo" "$work/todo" >"$work/pictures" 2>"$work/errors" &
chat=$!
shows 'what is to do' 'Work: Write the report'
"$build/release/ToDo" "$work/todo" add Home 'Water the plants' >/dev/null
shows 'what was added' '+ Home: Water the plants'
"$build/release/ToDo" "$work/todo" done Rest >/dev/null
shows 'what was done' '- Home: Rest'
kill "$chat"
wait "$chat" 2>/dev/null || true
chat=
echo "the programs of Examples build and run"

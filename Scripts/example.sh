#!/usr/bin/env bash
# Opens the chat of Examples on a generated store, while messages come in from another process.
set -euo pipefail

cd "$(dirname "$0")/.."
store=$(mktemp -d)/chat.satchel
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$(dirname "$store")"' EXIT
swift build -c release --package-path Examples --product Chat
.build/release/satchel generate --messages 5000 --seed 1 | .build/release/satchel import "$store" - --as alice
Examples/chatter.sh "$store" 10000 0.5 &
Examples/.build/release/Chat "$store"

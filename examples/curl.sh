#!/usr/bin/env bash
# A hand of craps with curl alone: start `passline serve`, then run this. Amounts are cents.
set -euo pipefail
server=${1:-http://127.0.0.1:8000}
practice=$(curl -sS -X POST "$server/practice" -H 'Content-Type: application/json' -d '{"name": "Ann", "house": "sydney"}')
field() { python3 -c 'import json, sys; print(eval("json.load(sys.stdin)" + sys.argv[1]))' "$1"; }
token=$(field '["token"]' <<<"$practice")
table=$(field '["table"]["table"]' <<<"$practice")

act() { # act KEY JSON: sent again under the same key, it is done once
  curl -sS -X POST "$server/tables/$table/acts" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $1" -d "$2"
  echo
}
act bet-1 '{"kind": "command.bet", "wager": "pass", "amount": 1000}'
act roll-1 '{"kind": "table.roll"}'
act come-1 '{"kind": "command.bet", "wager": "come", "amount": 1000}' # refused on a come-out, with the clause
act bet-2 '{"kind": "command.bet", "wager": "pass", "amount": 1000}' # who throws needs a line bet: the first may have been decided
act roll-2 '{"kind": "table.roll"}'
curl -sS "$server/tables/$table" -H "Authorization: Bearer $token" | field '["position"]'
# Everything that happened, as it happens: curl -N "$server/tables/$table/events?after=0" -H "Authorization: Bearer $token"

#!/bin/sh
# A part of a campaign, whose lines join the log, and how far that is.
# usage: part.sh SEED FIRST COUNT DOOR ISA PART, with the environment that campaign.sh sets
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/chunk.sh" "$@" || exit 1
[ "$CAMPAIGN_LOG" = "$CAMPAIGN_WORK/log" ] || cat "$6" >>"$CAMPAIGN_LOG"
[ "$CAMPAIGN_COUNT" -ge 1000 ] || exit 0
cat "$CAMPAIGN_WORK"/part[0-9]* | awk -F '\t' -v all="$CAMPAIGN_COUNT" -v seconds=$(($(date +%s) - CAMPAIGN_START)) '
  NF > 1 { lines++; bad += $2 != "passed" && $2 != "skipped" }
  END { printf "campaign: %d of %d cases in %d s, %d failed\n", lines, all, seconds, bad }'

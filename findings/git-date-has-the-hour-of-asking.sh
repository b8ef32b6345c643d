#!/usr/bin/env bash
# `git log --since=2026-01-01`, as a job asks for the commits of a day or for the last one before it. One expects the day to begin at midnight.
# git takes the time of day at which it is asked: at three in the afternoon the commits of that morning are missing, and a job that
# is run again an hour later gets other commits for the same date. With 00:00 behind it, it is midnight. Needs git and GNU date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a.invalid TZ=UTC
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a.invalid
cd "$folder"
git init -q .
now=$(date +%s) midnight=$(date -d '2026-01-01 00:00' +%s)
into_the_day=$((now % 86400))
[ $into_the_day -gt 60 ] || {
    echo "it is midnight: there is no difference now" >&2
    exit 2
}
# A second after midnight of that day.
GIT_COMMITTER_DATE="@$((midnight + 1)) +0000" git commit -q --allow-empty -m early
since=$(git log --oneline --since=2026-01-01 | wc -l)
exact=$(git log --oneline --since='2026-01-01 00:00' | wc -l)
age=$(git rev-parse --since=2026-01-01)
git --version
echo "expected: a commit of 00:00:01 on 2026-01-01 is since 2026-01-01"
echo "seen: of 1 commit $since, $exact with 00:00; --since=2026-01-01 is $(date -d "@${age#--max-age=}" +%T) of that day, and it is $(date +%T)"
[ "$since $exact" = "0 1" ]

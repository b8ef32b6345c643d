#!/usr/bin/env bash
# A..B are the commits of B that A has not: what came in between two nights. One expects the graph alone to decide. git walks by
# committer date and stops five commits after nothing new is left, so where ten commits of A were made by a machine whose clock was
# years behind, A..B also has what A has long had, its first commit included. With --topo-order it does not, once there is a commit-graph.
# Needs git.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a.invalid
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a.invalid
cd "$folder"
git init -q -b main .
# made DATE…: a commit each
made() {
    for when in "$@"; do GIT_COMMITTER_DATE="@$when +0000" GIT_AUTHOR_DATE="@$when +0000" git commit -q --allow-empty -m "of $when"; done
}
made 1700000000 1700000100 1700000200
git branch night
git checkout -q -b slow
made 1000000000 1000000100 1000000200 1000000300 1000000400 1000000500 1000000600 1000000700 1000000800 1000000900
git checkout -q night
made 1700000300
plain=$(git rev-list --count slow..night)
git commit-graph write --reachable 2>/dev/null
graph=$(git rev-list --count slow..night)
sorted=$(git rev-list --topo-order slow..night | wc -l)
git --version
echo "expected: slow..night has 1 commit"
echo "seen: $plain, $graph with a commit-graph, $sorted with --topo-order beside it"
[ "$plain" -gt 1 ] && [ "$graph" -gt 1 ] && [ "$sorted" = 1 ]

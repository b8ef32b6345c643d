#!/usr/bin/env bash
# `git describe --contains` names the first release that has a commit. One expects the graph alone to decide. git leaves out what
# was committed more than a day before the commit that is asked for: where its machine's clock was ten days ahead, no release
# contains it. `git tag --contains` finds it, and so does describe as soon as somebody, or `git gc`, has written a commit-graph. Needs git.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a.invalid
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a.invalid
cd "$folder"
git init -q -b main .
# made DATE
made() { GIT_COMMITTER_DATE="@$1 +0000" GIT_AUTHOR_DATE="@$1 +0000" git commit -q --allow-empty -m "of $1"; }
made 1700000000
made $((1700000000 + 10 * 86400))
asked=$(git rev-parse HEAD)
made 1700000100
git tag v1
plain=$(git describe --contains "$asked" 2>&1) || true
tags=$(git tag --contains "$asked")
git commit-graph write --reachable 2>/dev/null
graph=$(git describe --contains "$asked" 2>&1) || true
git --version
echo "expected: v1~1"
echo "seen: $plain; $graph with a commit-graph; by git tag --contains: $tags"
[[ $plain == "fatal: cannot describe"* && $graph == "v1~1" && $tags == v1 ]]

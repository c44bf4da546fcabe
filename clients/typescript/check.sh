#!/bin/sh
# Checks the client's types and runs its tests against a real server: check.sh PYTHON
set -eu
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")"
if ! command -v node >/dev/null || [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
  echo "The TypeScript client needs Node 20 or later; Debian 12 has 18. Install it from nodejs.org, or with a version" >&2
  echo "manager like nvm or fnm, and run make client again." >&2
  exit 1
fi
if command -v npm >/dev/null && npm install --silent --no-audit --no-fund; then
  npx tsc
  echo "The types are right."
else
  echo "The types were not checked: npm is not there, or cannot reach its packages." >&2
fi
PYTHON=$python node --test test/client.test.js

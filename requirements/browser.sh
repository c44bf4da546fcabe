#!/bin/sh
# Sees to a browser for the tests of the memory page: Debian's chromium, installed where it may be.
set -eu
if command -v chromium >/dev/null || [ -n "${RELEMBRA_TEST_BROWSER:-}" ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ]; then as=""; elif sudo -n true 2>/dev/null; then as="sudo"; else as="none"; fi
if [ "$as" = none ] || ! command -v apt-get >/dev/null; then
    echo "No chromium here, so the tests in a browser are skipped. On Debian: apt-get install chromium," >&2
    echo "or name a browser: RELEMBRA_TEST_BROWSER=/path/to/chromium make test" >&2
    exit 0
fi
echo "Installing chromium for the tests of the memory page …"
$as apt-get update -qq && $as apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null

#!/bin/sh
# Sees to what the tests need besides Python: Debian's chromium and redis-server, installed where they may be.
set -eu
packages=""
if ! command -v chromium >/dev/null && [ -z "${RELEMBRA_TEST_BROWSER:-}" ]; then
    packages="chromium fonts-dejavu-core"
fi
if ! command -v redis-server >/dev/null; then
    packages="$packages redis-server"
fi
if [ -z "$packages" ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ]; then as=""; elif sudo -n true 2>/dev/null; then as="sudo"; else as="none"; fi
if [ "$as" = none ] || ! command -v apt-get >/dev/null; then
    echo "These are missing, so the tests that need them are skipped: $packages" >&2
    echo "On Debian: apt-get install $packages. Another browser: RELEMBRA_TEST_BROWSER=/path/to/chromium make test" >&2
    exit 0
fi
echo "Installing for the tests: $packages …"
was_up=$(pidof redis-server || true)
# shellcheck disable=SC2086 # one word a package
$as apt-get update -qq && $as apt-get install -y -qq --no-install-recommends $packages >/dev/null
# The tests start Redis themselves; what the package has just started is not wanted.
if [ -z "$was_up" ] && [ -d /run/systemd/system ]; then
    $as systemctl disable --quiet --now redis-server 2>/dev/null || true
fi

#!/bin/sh
# Makes a virtual environment; on a Debian without Python's venv, installs that first where it may.
set -eu
python="$1"
folder="$2"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Relembra needs Python 3.11 or newer")'
if "$python" -m venv "$folder" >/dev/null 2>&1; then
    exit 0
fi
rm -rf "$folder"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
package="python$version-venv"
if [ "$(id -u)" = 0 ]; then as=""; elif sudo -n true 2>/dev/null; then as="sudo"; else as="none"; fi
if [ "$as" = none ] || ! command -v apt-get >/dev/null; then
    echo "Python's venv is missing. Install it (on Debian: apt-get install $package) and try again." >&2
    exit 1
fi
echo "Python's venv is missing: installing $package …"
$as apt-get update -qq && $as apt-get install -y -qq "$package" >/dev/null
"$python" -m venv "$folder"

#!/bin/sh
# Pins every requirement with versions and hashes; records no download addresses.
set -eu
uv="$1"
compile() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --no-emit-find-links --no-header --no-annotate --upgrade "$@"
}
extras="agents discord documents duckdb http images langchain llm ocr postgres redis server"
compile pyproject.toml --extra server -o requirements/run.txt
# shellcheck disable=SC2046 # one word an extra
compile pyproject.toml $(printf -- '--extra %s ' $extras) --group test -o requirements/test.txt
for extra in $extras; do
    compile pyproject.toml --extra "$extra" -o "requirements/$extra.txt"
done
printf 'hatchling\neditables\n' | "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-header --no-annotate --upgrade - -o requirements/build.txt

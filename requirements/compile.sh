#!/bin/sh
# Pins every requirement with versions and hashes; records no download addresses.
set -eu
uv="$1"
compile() {
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --no-emit-find-links --no-header --no-annotate --upgrade "$@"
}
compile pyproject.toml -o requirements/run.txt
compile pyproject.toml --extra http --extra llm --extra tokenizers --group test -o requirements/test.txt
compile pyproject.toml --extra http -o requirements/http.txt
compile pyproject.toml --extra llm -o requirements/llm.txt
compile pyproject.toml --extra tokenizers -o requirements/tokenizers.txt
printf 'hatchling\neditables\n' | "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-header --no-annotate --upgrade - -o requirements/build.txt

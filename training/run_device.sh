#!/usr/bin/env bash
# Runs on the lent GPU machine, from the repository root; $OUT is what comes back.
#   bash training/run_device.sh keep FOLDER                         store a carried part of the bundle on the machine
#   bash training/run_device.sh first NAME MIX [train.py options]   profile, pick eager or compiled, train, measure
#   bash training/run_device.sh train NAME MIX [train.py options]   train and measure
#   bash training/run_device.sh ablate [SECONDS]                    short runs, figures only
# LIMIT (default 560) is the seconds the whole command may take; BUNDLE is the folder the kept parts make up.
set -euo pipefail
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=true TORCHINDUCTOR_CACHE_DIR=/tmp/relembra/inductor
here=$(cd "$(dirname "$0")" && pwd)
bundle=${BUNDLE:-/tmp/relembra/bundle}
out=${OUT:-out}
limit=${LIMIT:-560}
cache=/tmp/relembra
mkdir -p "$out" "$cache"
begun=$SECONDS
left() { echo $((limit - (SECONDS - begun))); }
train() { python3 "$here/train.py" --bundle "$bundle" --out "$out" --cache "$cache" "$@" 2>&1 | tee -a "$out/log.txt"; }

# at most 8 files may come back, so profiles stay in the cache
profile() {
    nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
    train --profile --name eager --out "$cache"
    timeout 130 python3 "$here/train.py" --bundle "$bundle" --out "$cache" --cache "$cache" --profile --name compiled --compile 2>&1 |
        tail -n 12 | tee -a "$out/log.txt" || echo "compiled profile failed or took too long"
    python3 - "$cache" <<'PY'
import json, pathlib, sys
cache = pathlib.Path(sys.argv[1])
times = {n: json.loads(p.read_text())["whole step"] for n in ("eager", "compiled") if (p := cache / f"profile-{n}.json").exists()}
best = min(times, key=times.get)
print("milliseconds a step:", times, "→", best)
(cache / "mode").write_text("--compile" if best == "compiled" else "")
PY
}

mode() { cat "$cache/mode" 2>/dev/null || true; }

case "$1" in
keep)
    mkdir -p "$bundle"
    cp -r "$2"/. "$bundle"/
    du -sh "$bundle"
    nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
    python3 -c 'import torch, tokenizers, numpy; print(torch.__version__, tokenizers.__version__, numpy.__version__, torch.cuda.is_available())'
    ;;
first)
    name=$2 mix=$3
    shift 3
    profile
    # reading the cache takes about 25 s, measuring and saving about 40 s
    train --name "$name" --mix "$mix" --seconds $(($(left) - 85)) $(mode) "$@"
    ;;
train)
    name=$2 mix=$3
    shift 3
    seconds=$(($(left) - 85))
    [ -e "$cache"/prepared-*.pt ] || seconds=$((seconds - 60))
    train --name "$name" --mix "$mix" --seconds "$seconds" $(mode) "$@"
    ;;
ablate)
    seconds=${2:-60}
    while read -r name options; do
        [ "$(left)" -gt $((seconds + 60)) ] || { echo "no time for $name"; continue; }
        # shellcheck disable=SC2086
        train --name "$name" --no-save --seconds "$seconds" $(mode) $options
    done <<'RUNS'
base --mix permissive
no-late --mix permissive --late 0
no-turns --mix permissive --turns 0
no-clozes --mix permissive --clozes 0
strong-answers --mix permissive --answers 0.2
no-scores --mix permissive --scores 0
no-translated --mix permissive --drop wordnet,sotu,mobydick,glosses
RUNS
    ;;
*)
    echo "unknown: $1" >&2
    exit 2
    ;;
esac

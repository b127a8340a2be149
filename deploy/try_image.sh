#!/bin/bash
# Builds the image and runs it where no container engine is at hand. Debian, as root, with the packages buildah and
# debootstrap. The base image is made of Debian's own packages, for no other registry is asked.
#   deploy/try_image.sh              builds, then runs the demo and the server in the image
#   deploy/try_image.sh COMMAND...   runs a command in the image that was built
# In the image runs one user without capabilities, the root is read-only, and there is no network but loopback.
set -euo pipefail
cd "$(dirname "$0")/.."
base=localhost/ragcrawler-base image=localhost/ragcrawler

make_base() {
    local root container
    root=$(mktemp -d /var/tmp/ragcrawler-base.XXXXXX)
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" >/dev/null
    container=$(buildah from scratch)
    buildah copy --quiet "$container" "$root" / >/dev/null
    buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
    buildah commit --quiet --rm "$container" "$base" >/dev/null
    rm -rf "$root"
}

build() {
    buildah images --quiet "$base" >/dev/null 2>&1 || make_base
    # The machine's certificates, for registries behind a proxy of one's own.
    buildah build --isolation chroot --network host --layers --tag "$image" --target runtime \
        --volume /etc/ssl/certs:/etc/ssl/certs:ro --env SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
        --env UV_SYSTEM_CERTS=1 --build-arg PYTHON_IMAGE="$base" --file Dockerfile .
}

# What `docker run --read-only --network none --cap-drop ALL --user 10001` does.
run() {
    local container root data status=0
    container=$(buildah from "$image")
    root=$(buildah mount "$container")
    data=$(mktemp -d /var/tmp/ragcrawler-data.XXXXXX)
    install --directory --owner=10001 --group=10001 "$data/data" "$data/models"
    unshare --net --mount --pid --fork --mount-proc bash -euc '
        root=$0 data=$1
        shift
        ip link set lo up
        mount --bind "$root" "$root"
        mount --bind "$data/data" "$root/data"
        mount --bind "$data/models" "$root/models"
        mount -t tmpfs -o mode=1777,size=1g tmpfs "$root/tmp"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -o remount,ro,bind "$root"
        exec env -i PATH=/opt/ragcrawler/bin:/usr/bin:/bin HOME=/data PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
            RAGCRAWLER_ROOT=/data MODEL_CACHE_DIR=/models XDG_CACHE_HOME=/tmp/cache SERVER_TOKEN=0123456789abcdef \
            SERVER_HOSTS=127.0.0.1:8000 /usr/sbin/chroot "$root" /usr/bin/setpriv --reuid 10001 --regid 10001 \
            --clear-groups --no-new-privs --bounding-set -all --inh-caps -all -- "$@"
    ' "$root" "$data" "$@" || status=$?
    buildah umount "$container" >/dev/null
    buildah rm "$container" >/dev/null
    rm -rf "$data"
    return "$status"
}

# The same request as the healthcheck of compose.yaml.
trial='
cd /data
for place in / /opt/ragcrawler /usr/bin; do
    if touch "$place/written" 2>/dev/null; then echo "$place can be written"; exit 1; fi
done
ragcrawler demo
ragcrawler search "How do I rotate the logs?" --limit 1 -s OUTPUT_DIR=output/demo
ragcrawler serve --host 0.0.0.0 -s OUTPUT_DIR=output/demo &
server=$!
for attempt in $(seq 60); do
    sleep 1
    if python3 -c "
import os, urllib.request as web
web.urlopen(web.Request(\"http://127.0.0.1:8000/health\",
    headers={\"Authorization\": \"Bearer \" + os.environ[\"SERVER_TOKEN\"]}), timeout=4)" 2>/dev/null
    then echo "healthy after $attempt s"; kill -INT "$server"; wait "$server"; exit $?; fi
done
echo "the server does not answer"; exit 1'

if [ $# -gt 0 ]; then run "$@"; else build && run sh -c "$trial"; fi

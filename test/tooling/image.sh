#!/usr/bin/env bash
# Builds the image of the Dockerfile, measures it, starts it and has it capture a page. Needs root, Debian and its packages,
# and the npm registry; no container engine and no image registry: the images that the Dockerfile begins with are made here,
# by debootstrap and with the Node of the npm package `node`. Everything is in WORK, which is kept for the next time.
#
#   test/tooling/image.sh            builds, measures and drives
#   MOST_MB=1000                     the size that is not to be passed, in megabytes of 1,000,000 bytes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

WORK=${WORK:-/var/tmp/pixelgate-image}
MOST_MB=${MOST_MB:-1000}
SUITE=bookworm
NODE_MAJOR=24
PORT=3999
mkdir -p "$WORK"
export BUILDAH_ISOLATION=chroot
IMAGE=localhost/pixelgate
buildah() { command buildah --root "$WORK/storage" --runroot "$WORK/run" --storage-driver "${STORAGE_DRIVER:-overlay}" "$@"; }
step() { printf '\n== %s (%s)\n' "$1" "$(date -u +%H:%M:%S)"; }

step 'tools'
missing=()
for tool in buildah debootstrap; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

step 'a Debian to begin with'
# What the official slim image leaves out as well. Copyright notices stay.
if [ ! -e "$WORK/debian/etc/debian_version" ]; then
  rm -rf "$WORK/debian"
  debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$WORK/debian" >"$WORK/debootstrap.log"
  find "$WORK/debian/usr/share/doc" -type f ! -name copyright -delete
  rm -rf "$WORK/debian/usr/share/man" "$WORK/debian/usr/share/locale" "$WORK/debian/var/cache/apt" "$WORK/debian/var/lib/apt/lists"
  mkdir -p "$WORK/debian/usr/share/man/man1"
  if [ -e /etc/apt/sources.list.d/debian.sources ]; then
    rm -f "$WORK/debian/etc/apt/sources.list"
    cp /etc/apt/sources.list.d/debian.sources "$WORK/debian/etc/apt/sources.list.d/"
  fi
fi

step "and one with Node $NODE_MAJOR and npm"
if [ ! -x "$WORK/node/usr/local/bin/node" ]; then
  npm install --silent --no-save --prefix "$WORK/npm" "node@$NODE_MAJOR" npm@11
  mkdir -p "$WORK/node/usr/local/bin" "$WORK/node/usr/local/lib/node_modules"
  cp -r "$WORK/npm/node_modules/npm" "$WORK/node/usr/local/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$WORK/node/usr/local/bin/npm"
  cp "$(readlink -f "$WORK/npm/node_modules/node/bin/node")" "$WORK/node/usr/local/bin/node"
fi

# A certificate authority of this network, where it has one: npm asks for packages in the build.
trust() {
  [ -n "${NODE_EXTRA_CA_CERTS:-}" ] || return 0
  buildah copy -q "$1" "$NODE_EXTRA_CA_CERTS" /usr/local/share/network-ca.pem >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/usr/local/share/network-ca.pem "$1"
}
base() { # name, folders
  local name=$1 container
  shift
  container=$(buildah from scratch)
  for folder in "$@"; do buildah copy -q "$container" "$folder" / >/dev/null; done
  [[ $name != *node* ]] || trust "$container"
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit -q --rm "$container" "$name" >/dev/null
}
have() { buildah images -q "$1" 2>/dev/null | grep -q .; }
have "docker.io/library/debian:$SUITE-slim" || base "docker.io/library/debian:$SUITE-slim" "$WORK/debian"
have "docker.io/library/node:$NODE_MAJOR-$SUITE-slim" ||
  base "docker.io/library/node:$NODE_MAJOR-$SUITE-slim" "$WORK/debian" "$WORK/node"

step 'the image'
buildah build --pull-never --network host --tag "$IMAGE" . >"$WORK/build.log" 2>&1 || { tail -30 "$WORK/build.log"; exit 1; }
container=$(buildah from --pull-never "$IMAGE")
root=$(buildah mount "$container")
service=
finish() {
  # `unshare` waits for the first process of the service, which is to have the signal.
  [ -z "$service" ] || xargs -r kill <"/proc/$service/task/$service/children" || true
  [ -z "$service" ] || wait "$service" || true
  buildah umount "$container" >/dev/null
  buildah rm "$container" >/dev/null
}
trap finish EXIT

step 'its size'
megabytes() { du -s --apparent-size --block-size=1000000 "$@" 2>/dev/null; }
(cd "$root" && megabytes app/node_modules app/dist usr/lib/chromium usr/share/fonts usr/local/bin/node usr | sort -rn)
size=$(megabytes -x "$root" | cut -f1)
echo "the image has $size MB"
[ "$size" -lt "$MOST_MB" ] || { echo "more than $MOST_MB MB"; exit 1; }

step 'the service in it'
mapfile -t settings < <(buildah inspect --type image --format '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' "$IMAGE" | grep =)
unshare --mount --pid --fork --kill-child test/tooling/run-in-image.sh "$root" "${settings[@]}" \
  PORT=$PORT JWT_SECRET=a-secret-for-this-one-test-only-00 ALLOW_PRIVATE_TARGETS=true \
  -- tini -- node --max-semi-space-size=4 --heap-growing-percent=60 dist/main.js >"$WORK/service.log" 2>&1 &
service=$!
node test/tooling/drive-image.js "http://127.0.0.1:$PORT" || { tail -30 "$WORK/service.log"; exit 1; }

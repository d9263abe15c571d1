#!/bin/sh
# `unshare --mount --pid --fork test/tooling/run-in-image.sh ROOT NAME=VALUE… -- COMMAND…`: runs a command as the user `node`
# in a root file system, as a container engine does. Unlike chroot, this leaves the command its user namespaces, in which
# Chromium's sandbox is. The command is the first process; when it ends, so do all others.
set -eu
root=$1
shift
mount --make-rprivate /
mount --rbind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root/.outside"
cd "$root"
pivot_root . .outside
umount -l /.outside
rmdir /.outside
cd /app
settings=
while [ "$1" != -- ]; do
  settings="$settings $1"
  shift
done
shift
# shellcheck disable=SC2086 # settings are words without spaces
exec setpriv --reuid node --regid node --clear-groups env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/node $settings "$@"

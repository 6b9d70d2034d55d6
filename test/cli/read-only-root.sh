#!/bin/sh
# Runs a packed Docloom as its container does: not root, without capabilities, on a root file system that nothing can be
# written to but /tmp and DATA_DIR. Needs root, in a mount namespace of its own:
#   unshare --mount sh read-only-root.sh PACKAGE NODE_MODULES COMMAND…
set -eu
package=$1 modules=$2
shift 2
mount --make-rprivate /
mount -t tmpfs -o mode=0755 tmpfs /mnt
mkdir -p /mnt/app /mnt/data "$package/node_modules"
mount --bind "$package" /mnt/app
mount --bind "$modules" /mnt/app/node_modules
# As a secret is mounted.
install -o 1000 -m 0400 "$PRIVATE_KEY_PATH" /mnt/key
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o uid=1000,gid=1000,mode=0700 tmpfs /mnt/data
for place in $(cut -d' ' -f5 /proc/self/mountinfo | sort -u); do
  case $place in
    /tmp | /mnt/data | /dev | /dev/* | /proc | /proc/* | /sys | /sys/*) ;;
    # One that another hides cannot be reached, and need not be.
    *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
  esac
done
if touch /written /mnt/written /mnt/app/written 2>/dev/null; then
  echo 'The root file system can be written to.' >&2
  exit 1
fi
unset NODE_OPTIONS NODE_COMPILE_CACHE
export PRIVATE_KEY_PATH=/mnt/key DATA_DIR=/mnt/data TMPDIR=/tmp HOME=/home/node NODE_ENV=production
cd /mnt/app
exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
  node_modules/node/bin/node dist/cli/main.js "$@"

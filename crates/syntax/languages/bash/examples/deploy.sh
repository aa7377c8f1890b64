#!/usr/bin/env bash
#
# Puts a release on a host and keeps the one before it.

set -euo pipefail

source "$(dirname "$0")/lib/log.sh"
. ./lib/lock.sh
[ -s "$HOME/.deployrc" ] && \. "$HOME/.deployrc"

# Where releases are kept.
RELEASES="${RELEASES:-/srv/releases}"
readonly KEEP=3
declare -r -i TRIES=5
export LC_ALL=C TZ=UTC
FIRST=1 SECOND=2

declare -A PORTS
declare -a HOSTS=(
  alpha
  beta
)

# Prints how the script is called.
usage() {
  cat <<EOF
usage: $0 HOST VERSION
EOF
}

# Runs a command until it works.
# $1 how often, the rest the command
function retry {
  local left="$1"
  shift
  until "$@"; do
    left=$((left - 1))
    [[ $left -gt 0 ]] || return 1
    sleep 1
  done
}

log::debug() { [[ -n ${VERBOSE:-} ]] && log_line debug "$*"; }

# Works in a subshell, so that the caller stays where it is.
unpack() (
  cd "$RELEASES"
  tar -xzf "$1.tar.gz"
)

cleanup() {
  lock_release "$RELEASES"
}
trap cleanup EXIT

function main() {
  if [[ $# -ne 2 ]]; then
    usage >&2
    exit 2
  fi
  local host="$1" version="$2"
  retry "$TRIES" upload "$host" "$version"
  unpack "$version" | sudo tee "/var/log/deploy.log"
  for old in $(ls -t "$RELEASES" | tail -n "+$((KEEP + 1))"); do
    rm -rf "${RELEASES:?}/$old"
  done
}

main "$@"

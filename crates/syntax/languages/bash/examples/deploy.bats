#!/usr/bin/env bats

load helpers

setup() {
  DIR="$(mktemp -d)"
}

# A host that does not answer is tried again.
@test "retries an upload" {
  run retry 2 false
  [ "$status" -eq 1 ]
}

@test "unpacks into the releases" {
  unpack 1.0
  [ -d "$DIR/1.0" ]
}

teardown() {
  rm -rf "$DIR"
}

#!/usr/bin/env bash
# Installs liblmdb where it is missing: the one dependency that the package manager does not bring. With the argument
# "tests" also SQLite's headers, which the differential test needs; with "benchmarks" these and xz, which unpacks corpora.
set -euo pipefail

case "${1:-}" in
  '' | tests | benchmarks) ;;
  *)
    echo "install-dependencies.sh takes nothing, or: tests, benchmarks" >&2
    exit 64
    ;;
esac

missing=()
if ! pkg-config --exists lmdb 2>/dev/null && [ ! -e /usr/include/lmdb.h ]; then missing+=(lmdb); fi
# macOS has both.
if [ "$(uname -s)" != Darwin ]; then
  if [ -n "${1:-}" ] && [ ! -e /usr/include/sqlite3.h ]; then missing+=(sqlite); fi
  if [ "${1:-}" = benchmarks ] && ! command -v xz >/dev/null; then missing+=(xz); fi
fi
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

case "$(uname -s)" in
  Darwin)
    command -v brew >/dev/null || { echo "liblmdb is missing; install Homebrew (brew.sh), then run this again" >&2; exit 1; }
    brew install lmdb pkg-config
    ;;
  Linux)
    command -v apt-get >/dev/null || {
      echo "missing: ${missing[*]}; install them and their headers with your package manager (lmdb-devel, sqlite-devel, xz)" >&2
      exit 1
    }
    packages=(pkg-config)
    for name in "${missing[@]}"; do
      case $name in
        lmdb) packages+=(liblmdb-dev) ;;
        sqlite) packages+=(libsqlite3-dev) ;;
        xz) packages+=(xz-utils) ;;
      esac
    done
    sudo=""
    if [ "$(id -u)" -ne 0 ]; then sudo="sudo"; fi
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "${packages[@]}" >/dev/null
    ;;
  *)
    echo "install liblmdb and its headers, then run this again" >&2
    exit 1
    ;;
esac

#!/usr/bin/env bash
# Installs liblmdb where it is missing: the one dependency that the package manager does not bring.
set -euo pipefail

if pkg-config --exists lmdb 2>/dev/null || [ -e /usr/include/lmdb.h ]; then exit 0; fi

case "$(uname -s)" in
  Darwin)
    command -v brew >/dev/null || { echo "liblmdb is missing; install Homebrew (brew.sh), then run this again" >&2; exit 1; }
    brew install lmdb pkg-config
    ;;
  Linux)
    command -v apt-get >/dev/null || {
      echo "liblmdb's headers are missing; install them with your package manager (lmdb-devel, lmdb-dev, lmdb)" >&2
      exit 1
    }
    sudo=""
    if [ "$(id -u)" -ne 0 ]; then sudo="sudo"; fi
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq liblmdb-dev pkg-config >/dev/null
    ;;
  *)
    echo "install liblmdb and its headers, then run this again" >&2
    exit 1
    ;;
esac

#ifndef SATCHEL_CLMDB_SHIM_H
#define SATCHEL_CLMDB_SHIM_H
#include <lmdb.h>
#ifdef __linux__
// Tells a network file system from a local one; absent from Swift's Glibc module.
#include <sys/vfs.h>
#endif
#endif

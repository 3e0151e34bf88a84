#ifndef SATCHEL_CLMDB_SHIM_H
#define SATCHEL_CLMDB_SHIM_H
#include <lmdb.h>
#ifdef __linux__
// Tells a network file system from a local one; absent from Swift's Glibc module.
#include <sys/vfs.h>
#include <sys/types.h>
// Both libraries have it, and their headers hide it from Swift.
extern int fallocate(int fd, int mode, off_t offset, off_t length);
#endif
#endif

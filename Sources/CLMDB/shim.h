#ifndef SATCHEL_CLMDB_SHIM_H
#define SATCHEL_CLMDB_SHIM_H
#include <lmdb.h>
// Asks for the cache lines of some bytes that lie `ahead` bytes behind an address. Never faults.
static inline void satchel_prefetch(const void *address, long ahead, long count) {
  const char *start = (const char *)address + ahead;
  for (long offset = 0; offset < count; offset += 64) __builtin_prefetch(start + offset, 0, 2);
}
#ifdef __linux__
// Absent from Swift's Glibc module: what tells a network file system from a local one, and wakes a thread that polls.
#include <sys/eventfd.h>
#include <sys/vfs.h>
#include <sys/types.h>
// Both libraries have it, and their headers hide it from Swift.
extern int fallocate(int fd, int mode, off_t offset, off_t length);
#endif
#endif

#ifndef SATCHEL_CLMDB_SHIM_H
#define SATCHEL_CLMDB_SHIM_H
#include <lmdb.h>
#include <stdint.h>
// Copies words that another process may be writing: in their order, each loaded once, none of them after a load that
// follows this call. Plain loads of Swift are moved behind a fence that comes after them.
static inline void satchel_copy_words(uint64_t *target, const void *source, long count) {
  const volatile uint64_t *words = (const volatile uint64_t *)source;
  for (long index = 0; index < count; index++) target[index] = __atomic_load_n(words + index, __ATOMIC_ACQUIRE);
}
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
// Both libraries have them, and their headers hide them from Swift.
extern int fallocate(int fd, int mode, off_t offset, off_t length);
extern int sync_file_range(int fd, int64_t offset, int64_t length, unsigned int flags);
#endif
#endif

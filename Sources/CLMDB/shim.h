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
#endif

#ifndef SATCHEL_CSQLITE_SHIM_H
#define SATCHEL_CSQLITE_SHIM_H
#include <sqlite3.h>
// Variadic, so that Swift cannot call it: no statistics of each allocation, which every thread would wait for.
static inline int satchel_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
#endif

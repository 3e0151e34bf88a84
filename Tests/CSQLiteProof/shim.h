#ifndef SATCHEL_CSQLITE_PROOF_SHIM_H
#define SATCHEL_CSQLITE_PROOF_SHIM_H
#include <sqlite3.h>
// SQLITE_TRANSIENT is a cast that Swift does not import. A pointer to nothing would be NULL, and not the empty bytes.
static inline int satchel_bind_bytes(sqlite3_stmt *statement, int place, const void *bytes, int count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, place, 0);
  return sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}
static inline void satchel_return_bytes(sqlite3_context *context, const void *bytes, int count) {
  if (count == 0) sqlite3_result_zeroblob(context, 0);
  else sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}
#endif

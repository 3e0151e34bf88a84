#ifndef SATCHEL_CLMDB_SHIM_H
#define SATCHEL_CLMDB_SHIM_H
#include <lmdb.h>
#endif

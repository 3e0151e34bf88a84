#ifndef SATCHEL_CLMDBFLOOR_SHIM_H
#define SATCHEL_CLMDBFLOOR_SHIM_H
#include <lmdb.h>
#endif

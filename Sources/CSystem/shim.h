#ifndef SATCHEL_CSYSTEM_SHIM_H
#define SATCHEL_CSYSTEM_SHIM_H
#ifdef __linux__
#include <stdint.h>
// Absent from Swift's Glibc module: what tells a network file system from a local one, and wakes a thread that polls.
#include <sys/eventfd.h>
#include <sys/vfs.h>
#include <sys/types.h>
// Both libraries have them, and their headers hide them from Swift.
extern int fallocate(int fd, int mode, off_t offset, off_t length);
extern int sync_file_range(int fd, int64_t offset, int64_t length, unsigned int flags);
#endif
#endif

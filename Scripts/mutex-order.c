// What the thread sanitizer cannot see of Synchronization.Mutex on Linux: locking and unlocking under contention, which
// lie in a library that is not instrumented. Loaded before that library, this tells the sanitizer that what was done
// under the lock before happens before what is done under it next. Without contention it is not called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Null in a process that is not instrumented.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

SWIFT void lockSlow(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void unlockSlow(SELF mutex) __asm__(UNLOCK);

SWIFT void lockSlow(uint32_t thread, SELF mutex) {
  ((SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

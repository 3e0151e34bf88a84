// Stands between a program and the file system, preloaded by the dynamic linker: records what the program does to the
// files below one directory, or lets one of these calls fail, or ends the process at it.
//
//   SATCHEL_SHIM_ROOT   the directory; a call that concerns nothing below it passes unseen
//   SATCHEL_SHIM_LOG    a file that gets every change with its data, in the order in which they were made
//   SATCHEL_SHIM_MARKS  a file whose writes become marks in the log: what the program has acknowledged by then
//   SATCHEL_SHIM_STATE  a file of 16 bytes shared by all processes: the number of counted calls, whether one was hit
//   SATCHEL_SHIM_READS  counts reads and opens for reading, too
//   SATCHEL_SHIM_AT     which call is hit, from 1
//   SATCHEL_SHIM_DO     what happens to it: kill (before it), torn (after half of a write), after, eio, enospc, short, stop
//                       (before it, or with a lock that it has just taken, until somebody lets the process go on)
//   SATCHEL_SHIM_LOCKS  counts locks that were taken, too
//   SATCHEL_SHIM_ON     all later calls are hit as well
//   SATCHEL_SHIM_SYNCS  counts syncs only
//   SATCHEL_SHIM_CHEAT  a promise that the program seems to break, in the log only: journal (its syncs are left out), late
//                       (its syncs come after the next mark), meta (a sync of data.mdb after a write of a meta page is
//                       left out, so that the space of the journal is used again too early)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
  opWrite = 1, opDurableWrite, opSync, opTruncate, opCreate, opRename, opUnlink, opMakeDirectory, opRemoveDirectory,
  opMark, opFailedSync
};
enum { doNothing, doKill, doTorn, doAfter, doEIO, doENOSPC, doShort, doStop };
enum { unseen = 0, watched = 1, durable = 2, mark = 4, journal = 8, data = 16 };
enum { cheatNot, cheatJournal, cheatLate, cheatMeta };
#define MAX_FILES 65536

static char root[PATH_MAX], marks[PATH_MAX];
static size_t rootLength;
static int logFile = -1, action = doNothing, countsReads, countsLocks, countsSyncsOnly, goesOn, cheat;
static uint64_t hitAt;
// The journal's head, which programs write through a map: looked at before each change of another file.
static int headFile = -1;
static uint64_t headIdentity;
static unsigned char head[4096];
// A sync of the journal that is noted after the next mark; whether the last write to data.mdb was one of a meta page.
static uint64_t heldSync;
static int isAfterMeta;
static struct { _Atomic uint64_t calls, hits; } ownState, *state = &ownState;
static unsigned char kinds[MAX_FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;


__attribute__((constructor)) static void start(void) {
  const char *text = getenv("SATCHEL_SHIM_ROOT");
  if (!text) return;
  snprintf(root, sizeof root, "%s", text);
  rootLength = strlen(root);
  if ((text = getenv("SATCHEL_SHIM_MARKS"))) snprintf(marks, sizeof marks, "%s", text);
  if ((text = getenv("SATCHEL_SHIM_LOG")))
    logFile = syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if ((text = getenv("SATCHEL_SHIM_STATE"))) {
    int file = syscall(SYS_openat, AT_FDCWD, text, O_RDWR | O_CLOEXEC, 0600);
    void *map = file < 0 ? MAP_FAILED : mmap(0, sizeof ownState, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) state = map;
    if (file >= 0) syscall(SYS_close, file);
  }
  countsReads = getenv("SATCHEL_SHIM_READS") != 0;
  countsLocks = getenv("SATCHEL_SHIM_LOCKS") != 0;
  countsSyncsOnly = getenv("SATCHEL_SHIM_SYNCS") != 0;
  if ((text = getenv("SATCHEL_SHIM_CHEAT"))) {
    static const char *cheats[] = {"", "journal", "late", "meta"};
    for (int index = 1; index <= cheatMeta; index++)
      if (!strcmp(text, cheats[index])) cheat = index;
  }
  goesOn = getenv("SATCHEL_SHIM_ON") != 0;
  if ((text = getenv("SATCHEL_SHIM_AT"))) hitAt = strtoull(text, 0, 10);
  if ((text = getenv("SATCHEL_SHIM_DO"))) {
    static const char *names[] = {"", "kill", "torn", "after", "eio", "enospc", "short", "stop"};
    for (int index = 1; index <= doStop; index++)
      if (!strcmp(text, names[index])) action = index;
  }
}

// The absolute path of a name; whether it is below the root.
static int resolve(int directory, const char *path, char *out) {
  if (!rootLength || !path) return 0;
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
  } else {
    char link[64], base[PATH_MAX];
    if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return 0;
  }
  return !strncmp(out, root, rootLength) && (out[rootLength] == '/' || out[rootLength] == 0);
}

static int kindOf(int file) { return file >= 0 && file < MAX_FILES ? kinds[file] : unseen; }

static void append(uint32_t op, uint64_t file, uint64_t offset, const struct iovec *data, int count) {
  struct { uint32_t magic, op; uint64_t file, offset, length; } head = {0x7a11feed, op, file, offset, 0};
  struct iovec parts[count + 1];
  for (int index = 0; index < count; index++) {
    parts[index + 1] = data[index];
    head.length += data[index].iov_len;
  }
  parts[0] = (struct iovec){&head, sizeof head};
  // Regular files take all of it at once.
  syscall(SYS_writev, logFile, parts, count + 1);
}

static void record(uint32_t op, uint64_t file, uint64_t offset, const struct iovec *data, int count) {
  if (logFile < 0) return;
  unsigned char now[sizeof head];
  if (headFile >= 0 && syscall(SYS_pread64, headFile, now, sizeof now, 0L) == sizeof now &&
      memcmp(now, head, sizeof now)) {
    memcpy(head, now, sizeof now);
    append(opWrite, headIdentity, 0, &(struct iovec){head, sizeof head}, 1);
  }
  append(op, file, offset, data, count);
}

static void recordPath(uint32_t op, uint64_t file, const char *one, const char *two) {
  struct iovec parts[2] = {{(void *)one, strlen(one) + 1}, {(void *)two, two ? strlen(two) + 1 : 0}};
  record(op, file, 0, parts, two ? 2 : 1);
}

static uint64_t identity(int file) {
  struct stat status;
  return syscall(SYS_fstat, file, &status) ? 0 : status.st_ino;
}

static void end(void) { syscall(SYS_kill, getpid(), SIGKILL); for (;;) pause(); }

// Notes a sync, or cheats.
static void recordSync(int file, int kind) {
  if (kind & journal && cheat == cheatJournal) return;
  if (kind & data && cheat == cheatMeta && isAfterMeta) return;
  if (kind & journal && cheat == cheatLate) heldSync = identity(file);
  else record(opSync, identity(file), 0, 0, 0);
}

// Counts a call and says what is to become of it. A failure sets errno.
static int meet(int isWrite, int isSync) {
  if (countsSyncsOnly && !isSync) return doNothing;
  uint64_t number = atomic_fetch_add(&state->calls, 1) + 1;
  if (action == doNothing || !hitAt || number < hitAt || (number > hitAt && !goesOn)) return doNothing;
  if (action == doShort && !isWrite) return doNothing;
  atomic_fetch_add(&state->hits, 1);
  if (action == doKill || (action == doTorn && !isWrite)) end();
  if (action == doStop) { syscall(SYS_kill, getpid(), SIGSTOP); return doNothing; }
  if (action == doEIO) errno = EIO;
  if (action == doENOSPC) errno = ENOSPC;
  return action;
}
#define FAILS(what) ((what) == doEIO || (what) == doENOSPC)

// ---- data


static ssize_t writeOut(int file, const struct iovec *parts, int count, off_t offset, int moves) {
  int kind = kindOf(file);
  if (kind & mark) {
    pthread_mutex_lock(&lock);
    record(opMark, 0, 0, parts, count);
    if (heldSync) record(opSync, heldSync, 0, 0, 0);
    heldSync = 0;
    ssize_t written = syscall(SYS_writev, file, parts, count);
    pthread_mutex_unlock(&lock);
    return written;
  }
  pthread_mutex_lock(&lock);
  int what = meet(1, 0);
  if (FAILS(what)) { pthread_mutex_unlock(&lock); return -1; }
  struct iovec kept[count];
  size_t total = 0, left;
  for (int index = 0; index < count; index++) total += parts[index].iov_len;
  left = what == doShort || what == doTorn ? total / 2 : total;
  int used = 0;
  for (size_t rest = left; used < count && rest; used++) {
    kept[used] = parts[used];
    if (kept[used].iov_len > rest) kept[used].iov_len = rest;
    rest -= kept[used].iov_len;
  }
  if (moves) {
    // A file that was opened for appending writes at its end.
    struct stat status;
    if ((syscall(SYS_fcntl, file, F_GETFL) & O_APPEND) && !syscall(SYS_fstat, file, &status)) offset = status.st_size;
    else offset = syscall(SYS_lseek, file, 0, SEEK_CUR);
  }
  ssize_t written =
      moves ? syscall(SYS_writev, file, kept, used) : syscall(SYS_pwritev, file, kept, used, offset, 0L);
  int code = errno;
  if (kind & data) isAfterMeta = offset < 2 * 4096;
  if (written == (ssize_t)left) record(kind & durable ? opDurableWrite : opWrite, identity(file), offset, kept, used);
  // Only now: the process that comes next goes on in the same log.
  if (what == doTorn || what == doAfter) end();
  pthread_mutex_unlock(&lock);
  errno = code;
  return written;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
  if (!kindOf(file)) return syscall(SYS_pwrite64, file, data, size, offset);
  struct iovec part = {(void *)data, size};
  return writeOut(file, &part, 1, offset, 0);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) { return pwrite(file, data, size, offset); }
ssize_t write(int file, const void *data, size_t size) {
  if (!kindOf(file)) return syscall(SYS_write, file, data, size);
  struct iovec part = {(void *)data, size};
  return writeOut(file, &part, 1, 0, 1);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  if (!kindOf(file)) return syscall(SYS_writev, file, parts, count);
  return writeOut(file, parts, count, 0, 1);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  if (!kindOf(file)) return syscall(SYS_pwritev, file, parts, count, offset, 0L);
  return writeOut(file, parts, count, offset, 0);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  return pwritev(file, parts, count, offset);
}

// ---- calls that fail whole

#define GUARDED(isSeen, call, note)                                   \
  if (!(isSeen)) return call;                                         \
  pthread_mutex_lock(&lock);                                          \
  int what = meet(0, 0);                                                 \
  if (FAILS(what)) { pthread_mutex_unlock(&lock); return -1; }        \
  long result = call;                                                 \
  int code = errno;                                                   \
  if (result == 0) { note; }                                          \
  if (what == doAfter) end();                                         \
  pthread_mutex_unlock(&lock);                                        \
  errno = code;                                                       \
  return result

static int syncOut(int file, long number) {
  int kind = kindOf(file);
  if (!kind) return syscall(number, file);
  pthread_mutex_lock(&lock);
  int what = meet(0, 1);
  long result = -1;
  int code = errno;
  if (FAILS(what)) {
    record(opFailedSync, identity(file), 0, 0, 0);
  } else {
    result = syscall(number, file);
    code = errno;
    if (result == 0) recordSync(file, kind);
    if (what == doAfter) end();
  }
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int fsync(int file) { return syncOut(file, SYS_fsync); }
int fdatasync(int file) { return syncOut(file, SYS_fdatasync); }
int ftruncate(int file, off_t size) {
  GUARDED(kindOf(file), syscall(SYS_ftruncate, file, size), record(opTruncate, identity(file), size, 0, 0));
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
// A hole is so many zeros, which a power cut may lose as it may what is written.
static void recordHole(int file, off_t offset, off_t size) {
  static char zeros[1 << 16];
  for (off_t done = 0; done < size;) {
    size_t count = size - done < (off_t)sizeof zeros ? size - done : sizeof zeros;
    record(opWrite, identity(file), offset + done, &(struct iovec){zeros, count}, 1);
    done += count;
  }
}
int fallocate(int file, int mode, off_t offset, off_t size) {
  GUARDED(kindOf(file), syscall(SYS_fallocate, file, mode, offset, size),
          if (mode & FALLOC_FL_PUNCH_HOLE) recordHole(file, offset, size));
}
int fallocate64(int file, int mode, off64_t offset, off64_t size) { return fallocate(file, mode, offset, size); }
int msync(void *data, size_t size, int flags) { return syscall(SYS_msync, data, size, flags); }

int renameat2(int fromDirectory, const char *from, int toDirectory, const char *to, unsigned flags) {
  char one[PATH_MAX], two[PATH_MAX];
  int isSeen = resolve(fromDirectory, from, one) | resolve(toDirectory, to, two);
  GUARDED(isSeen, syscall(SYS_renameat2, fromDirectory, from, toDirectory, to, flags),
          recordPath(opRename, 0, one, two));
}
int renameat(int fromDirectory, const char *from, int toDirectory, const char *to) {
  return renameat2(fromDirectory, from, toDirectory, to, 0);
}
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

int linkat(int fromDirectory, const char *from, int toDirectory, const char *to, int flags) {
  char path[PATH_MAX];
  struct stat status;
  GUARDED(resolve(toDirectory, to, path), syscall(SYS_linkat, fromDirectory, from, toDirectory, to, flags),
          if (!syscall(SYS_newfstatat, toDirectory, to, &status, 0)) recordPath(opCreate, status.st_ino, path, 0));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int directory, const char *name, int flags) {
  char path[PATH_MAX];
  GUARDED(resolve(directory, name, path), syscall(SYS_unlinkat, directory, name, flags),
          recordPath(flags & AT_REMOVEDIR ? opRemoveDirectory : opUnlink, 0, path, 0));
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int mkdirat(int directory, const char *name, mode_t mode) {
  char path[PATH_MAX];
  GUARDED(resolve(directory, name, path), syscall(SYS_mkdirat, directory, name, mode),
          recordPath(opMakeDirectory, 0, path, 0));
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

// ---- files

static int openSeen(int directory, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  int isMark = marks[0] && name && !strcmp(name, marks);
  if (isMark || !resolve(directory, name, path)) {
    int file = syscall(SYS_openat, directory, name, flags, mode);
    if (isMark && file >= 0 && file < MAX_FILES) kinds[file] = mark;
    return file;
  }
  pthread_mutex_lock(&lock);
  int changes = flags & (O_CREAT | O_TRUNC);
  int what = changes || countsReads ? meet(0, 0) : doNothing;
  if (FAILS(what)) { pthread_mutex_unlock(&lock); return -1; }
  struct stat before;
  int isNew = (flags & O_CREAT) && syscall(SYS_newfstatat, directory, name, &before, 0);
  int file = syscall(SYS_openat, directory, name, flags, mode);
  int code = errno;
  if (file >= 0 && file < MAX_FILES) {
    const char *last = strrchr(path, '/') + 1;
    kinds[file] = watched | (flags & (O_DSYNC | O_SYNC) ? durable : 0) | (strcmp(last, "journal") ? 0 : journal) |
                  (strcmp(last, "data.mdb") ? 0 : data);
    if (isNew) recordPath(opCreate, identity(file), path, 0);
    else if (flags & O_TRUNC) record(opTruncate, identity(file), 0, 0, 0);
    // A directory's identity, so that a later sync of it can be told.
    if (!isNew) recordPath(opCreate, identity(file), path, "");
    if (!strcmp(last, "journal.head") && headIdentity != identity(file)) {
      if (headFile >= 0) syscall(SYS_close, headFile);
      headFile = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
      headIdentity = identity(file);
    }
  }
  if (what == doAfter) end();
  pthread_mutex_unlock(&lock);
  errno = code;
  return file;
}

#define MODE(flags, last)                                             \
  mode_t mode = 0;                                                    \
  if ((flags) & (O_CREAT | O_TMPFILE)) {                              \
    va_list arguments;                                                \
    va_start(arguments, last);                                        \
    mode = va_arg(arguments, mode_t);                                 \
    va_end(arguments);                                                \
  }
int open(const char *name, int flags, ...) { MODE(flags, flags); return openSeen(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags, flags); return openSeen(AT_FDCWD, name, flags, mode); }
int openat(int directory, const char *name, int flags, ...) {
  MODE(flags, flags);
  return openSeen(directory, name, flags, mode);
}
int openat64(int directory, const char *name, int flags, ...) {
  MODE(flags, flags);
  return openSeen(directory, name, flags, mode);
}
int creat(const char *name, mode_t mode) { return openSeen(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int file) {
  if (file >= 0 && file < MAX_FILES) kinds[file] = unseen;
  return syscall(SYS_close, file);
}

// ---- reads

#define READ(call)                                                    \
  if (!kindOf(file) || !countsReads) return call;                     \
  pthread_mutex_lock(&lock);                                          \
  int what = meet(0, 0);                                                 \
  pthread_mutex_unlock(&lock);                                        \
  if (FAILS(what)) return -1;                                         \
  return call
ssize_t pread(int file, void *data, size_t size, off_t offset) { READ(syscall(SYS_pread64, file, data, size, offset)); }
ssize_t pread64(int file, void *data, size_t size, off64_t offset) { return pread(file, data, size, offset); }
ssize_t read(int file, void *data, size_t size) { READ(syscall(SYS_read, file, data, size)); }

// ---- locks

static void meetLock(int file, int taken) {
  if (!taken || !countsLocks || !kindOf(file)) return;
  int code = errno;
  pthread_mutex_lock(&lock);
  meet(0, 0);
  pthread_mutex_unlock(&lock);
  errno = code;
}
int flock(int file, int operation) {
  int result = syscall(SYS_flock, file, operation);
  meetLock(file, result == 0 && !(operation & LOCK_UN));
  return result;
}
static int control(int file, int command, void *argument) {
  int result = syscall(SYS_fcntl, file, command, argument);
  if (command == F_SETLK || command == F_SETLKW) meetLock(file, result == 0 && ((struct flock *)argument)->l_type != F_UNLCK);
  return result;
}
#define ARGUMENT                                                      \
  va_list arguments;                                                  \
  va_start(arguments, command);                                       \
  void *argument = va_arg(arguments, void *);                         \
  va_end(arguments)
int fcntl(int file, int command, ...) { ARGUMENT; return control(file, command, argument); }
int fcntl64(int file, int command, ...) { ARGUMENT; return control(file, command, argument); }

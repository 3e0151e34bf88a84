#if canImport(Darwin)
  internal import Darwin

  /// The object that a thread sleeps on until any process writes to a file, or until `call` is called: a kqueue.
  ///
  /// It does not survive a fork. Any thread may call; one thread at a time waits.
  final class FileChanges: Sendable {
    private let queue: Int32
    private let file: Int32

    /// Watches an open file. Nil if the system grants no more descriptors.
    init?(file descriptor: Int32) {
      queue = kqueue()
      // A descriptor of our own: the store's descriptor may be closed, and its number given away, while a thread still
      // waits. A duplicate is not a second open of the file, and stays with this file wherever its path leads by now.
      file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard queue >= 0, file >= 0, fcntl(queue, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
      var changes = unsafe [
        kevent(
          ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
          fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil),
        kevent(
          ident: Self.call, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0,
          udata: nil),
      ]
      guard unsafe kevent(queue, &changes, 2, nil, 0, nil) == 0 else { return nil }
    }

    deinit {
      if queue >= 0 { close(queue) }
      if file >= 0 { close(file) }
    }

    /// Whether changes of the file are no longer reported.
    var isBlind: Bool { false }

    /// Ends the current wait, or else the next one.
    func call() {
      var change = unsafe kevent(
        ident: Self.call, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0,
        udata: nil)
      unsafe kevent(queue, &change, 1, nil, 0, nil)
    }

    /// Sleeps until the file has changed (unless `callsOnly`), `call` was called or the time is over, and clears what
    /// was reported. May return early.
    func wait(callsOnly: Bool, milliseconds: Int?) -> BellCause {
      // A change of the file during a wait with `callsOnly` is reported by the next wait without it.
      var change = unsafe kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(callsOnly ? EV_DISABLE : EV_ENABLE),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil)
      let none = unsafe kevent(ident: 0, filter: 0, flags: 0, fflags: 0, data: 0, udata: nil)
      var events = unsafe [none, none]
      let count: Int32
      if let milliseconds {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        count = unsafe kevent(queue, &change, 1, &events, 2, &time)
      } else {
        count = unsafe kevent(queue, &change, 1, &events, 2, nil)
      }
      let seen = unsafe events.prefix(Int(max(0, count)))
      if unsafe seen.contains(where: { unsafe $0.filter == Int16(EVFILT_USER) }) { return .call }
      return unsafe seen.isEmpty ? .time : .file
    }

    /// The identifier of the event that `call` triggers.
    private static let call: UInt = 0
  }
#endif

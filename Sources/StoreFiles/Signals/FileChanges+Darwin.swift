#if canImport(Darwin)
  internal import Darwin

  /// The object that a thread sleeps on until any process writes to a file that it watches, or until `call` is called: a kqueue.
  ///
  /// It does not survive a fork. Any thread may call; one thread at a time waits.
  final class FileChanges: Sendable {
    private let queue: Int32
    /// Descriptors of our own: the store's descriptors may be closed, and their numbers given away, while a thread still
    /// waits. A duplicate is not a second open of the file, and stays with this file wherever its path leads by now.
    private let files = Monitor<[Int32]>([])

    /// Watches an open file. Nil if the system grants no more descriptors.
    init?(file descriptor: Int32) {
      queue = kqueue()
      guard queue >= 0, fcntl(queue, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
      var change = unsafe kevent(
        ident: Self.call, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0,
        udata: nil)
      guard unsafe kevent(queue, &change, 1, nil, 0, nil) == 0, add(file: descriptor) else { return nil }
    }

    /// Watches one more open file. Returns false if the system grants no more descriptors.
    @discardableResult
    func add(file descriptor: Int32) -> Bool {
      let file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard file >= 0 else { return false }
      files.locked { $0.append(file) }
      var change = unsafe Self.change(of: file, EV_ADD | EV_CLEAR)
      return unsafe kevent(queue, &change, 1, nil, 0, nil) == 0
    }

    deinit {
      if queue >= 0 { close(queue) }
      for file in files.locked({ $0 }) { close(file) }
    }

    private static func change(of file: Int32, _ flags: Int32) -> kevent {
      unsafe kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(flags),
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil)
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
      // A change of a file during a wait with `callsOnly` is reported by the next wait without it.
      var changes = unsafe files.locked { $0 }.map {
        unsafe Self.change(of: $0, callsOnly ? EV_DISABLE : EV_ENABLE)
      }
      let changeCount = unsafe Int32(changes.count)
      let none = unsafe kevent(ident: 0, filter: 0, flags: 0, fflags: 0, data: 0, udata: nil)
      var events = unsafe [none, none, none]
      let count: Int32
      if let milliseconds {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        count = unsafe kevent(queue, &changes, changeCount, &events, 3, &time)
      } else {
        count = unsafe kevent(queue, &changes, changeCount, &events, 3, nil)
      }
      let seen = unsafe events.prefix(Int(max(0, count)))
      if unsafe seen.contains(where: { unsafe $0.filter == Int16(EVFILT_USER) }) { return .call }
      return unsafe seen.isEmpty ? .time : .file
    }

    /// The identifier of the event that `call` triggers.
    private static let call: UInt = 0
  }
#endif

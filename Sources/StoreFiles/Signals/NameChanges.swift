#if !canImport(Darwin)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// Says whether something has happened to names in a directory, or to its own.
  ///
  /// Asking costs a small part of asking for the names, also where other files come and go all the time.
  final class NameChanges: Sendable {
    private let queue: ChangeQueue
    private let names: [[UInt8]]

    /// Nil if the system does not tell.
    init?(of names: [String], in directory: Int32) {
      guard let queue = ChangeQueue(),
        queue.add(directory, IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF)
      else { return nil }
      self.queue = queue
      self.names = names.map { Array($0.utf8) }
    }

    /// Whether something has happened since the last call. Says so for ever once nothing more is told.
    func take() -> Bool {
      if queue.isOver { return true }
      var found = false
      let isRead = unsafe queue.takeAll { name in
        // What has no name concerns the directory, or the queue was too short.
        let isOurs = unsafe name.isEmpty || names.contains { unsafe name.elementsEqual($0) }
        found = found || isOurs
      }
      return found || !isRead
    }
  }
#endif

internal import StoreFiles

/// The open environments of this process.
enum Registry {
  private static let environments = Monitor<[Environment]>([])

  /// Returns the open environment of this store, with one more reference, or else the environment that `make` opens.
  ///
  /// `make` runs under the registry's lock, so a store is never opened twice at the same time.
  static func open(
    path: String, until limit: UInt64, identity: () throws(LMDBError) -> StoreIdentity,
    make: (StoreIdentity) throws(LMDBError) -> Environment
  ) throws(LMDBError) -> (environment: Environment, isNew: Bool) {
    while true {
      var ending: Environment?
      let found: (Environment, Bool)? = try environments.locked { all throws(LMDBError) in
        all.removeAll(where: \.isForeign)
        let identity = try identity()
        guard let match = all.first(where: { $0.mayBeIn(the: identity) }) else {
          let new = try make(identity)
          all.append(new)
          return (new, true)
        }
        // As soon as a deleted file is closed, its inode may be given to another file.
        guard match.identity == identity || match.hasEnded else {
          throw LMDBError(
            .alreadyOpenElsewhere, operation: "open", path: path,
            detail: "the file was replaced, or is linked")
        }
        if match.identity == identity, try match.retain(until: limit) { return (match, false) }
        ending = match
        return nil
      }
      if let found { return found }
      if let ending {
        guard !ThreadScope.contains(ending.number) else { throw ending.error(.nested, "open") }
        waitUntilRemoved(ending)
      }
    }
  }

  /// Runs `body`, which opens the files of a suspended environment again, while nobody else opens any.
  static func reopen(
    _ environment: Environment, _ body: () throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try environments.locked { all throws(LMDBError) in
      let isTaken = all.contains {
        $0 !== environment && !$0.isForeign && $0.mayBeIn(the: environment.identity)
      }
      guard !isTaken else {
        throw environment.error(
          .alreadyOpenElsewhere, "resume", detail: "the file was replaced, or is linked")
      }
      try body()
    }
  }

  static func remove(_ environment: Environment) {
    environments.locked { $0.removeAll { $0 === environment } }
    environments.notify()
  }

  static func waitUntilRemoved(_ environment: Environment) {
    environments.locked(when: { all in !all.contains { $0 === environment } }) { _, _ in }
  }
}

extension Environment {
  /// Whether it may have files of a store open. One that has given its files back has none; it may take exactly those back.
  fileprivate func mayBeIn(the store: StoreIdentity) -> Bool {
    identity.overlaps(store) && (identity == store || !isGivenBack)
  }
}

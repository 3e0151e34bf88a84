/// The open environments of this process.
enum Registry {
  private static let environments = Monitor<[Environment]>([])

  /// Returns the open environment of this store, with one more reference, or else the environment that `make` opens.
  ///
  /// `make` runs under the registry's lock, so a store is never opened twice at the same time.
  static func open(
    path: String, identity: () throws(LMDBError) -> StoreIdentity,
    make: (StoreIdentity) throws(LMDBError) -> Environment
  ) throws(LMDBError) -> (environment: Environment, isNew: Bool) {
    while true {
      var ending: Environment?
      let found: (Environment, Bool)? = try environments.locked { all throws(LMDBError) in
        all.removeAll(where: \.isForeign)
        let identity = try identity()
        guard let match = all.first(where: { $0.identity.overlaps(identity) }) else {
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
        if match.identity == identity, match.retain() { return (match, false) }
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

  static func remove(_ environment: Environment) {
    environments.locked { $0.removeAll { $0 === environment } }
    environments.notify()
  }

  static func waitUntilRemoved(_ environment: Environment) {
    environments.locked(when: { all in !all.contains { $0 === environment } }) { _, _ in }
  }
}

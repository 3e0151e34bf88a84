package import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A directory of the operating system.
package struct SystemPlace: JournalPlace {
  package let path: String
  /// What tests put between the journal and its file.
  private let interposer: JournalInterposer?

  package init(_ path: String, through interposer: JournalInterposer? = nil) {
    self.path = path
    self.interposer = interposer
  }

  package func exists(_ name: JournalName) -> Bool { unsafe access(path(of: name), F_OK) == 0 }

  package func openJournal(_ access: JournalFile.Access) throws(JournalError) -> JournalFile {
    try JournalFile(path(of: .journal), access, through: interposer)
  }

  package func openHead(_ access: JournalFile.Access) throws(JournalError) -> JournalHead {
    try JournalHead(path(of: .head), access)
  }

  package func openLock(
    _ name: JournalLockName, _ access: JournalFile.Access
  ) throws(JournalError) -> JournalLock {
    try JournalLock("\(path)/\(name.file)", name == .claim ? .reading : access)
  }

  package func identity(of name: JournalName) throws(JournalError) -> FileIdentity? {
    if let identity = FileIdentity(path: path(of: name)) { return identity }
    guard errno == ENOENT else {
      throw JournalError(.system(errno), operation: "look for", path: path(of: name))
    }
    return nil
  }

  package var boot: BootIdentity? { .current }

  package func makeNonce() -> UInt32 { .random(in: 1 ... .max) }
}

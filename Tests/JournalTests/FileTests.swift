import Journal
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The files of the operating system: how they are made, and what is refused.
struct FileTests {
  @Test func aJournalInAFile() throws {
    let scratch = try Scratch()
    let path = scratch.file("journal")
    #expect(throws: JournalError.self) { try JournalFile(path, .writing) }
    var point = JournalPoint.start
    for round in 0..<3 {
      let file = try JournalFile(path, .creating)
      var reader = try JournalReader(file, of: sampleOwner, after: .start)
      #expect(try reader.all().flatMap(\.members).count == round * 2)
      #expect(reader.end.point == point)
      let writer = try JournalWriter(reader, released: 0, limits: smallSegments)
      try writer.append([[UInt8](repeating: UInt8(round), count: 3000), []])
      try writer.sync()
      point = writer.end.point
    }
    var reader = try JournalReader(JournalFile(path, .reading), of: sampleOwner, after: .start)
    #expect(try reader.all().flatMap(\.members).map(\.bytes.count) == [3000, 0, 3000, 0, 3000, 0])
    try JournalFile(path, .writing).empty()
    #expect(try contents(of: path) == [])
    // The file is the same one: somebody who has it open goes on with it.
    #expect(try reader.next() == nil)
    let found = try JournalReader(JournalFile(path, .reading), of: sampleOwner, after: point)
    #expect(found.relation == .empty)
  }

  @Test(arguments: ["journal", "head", "lock"]) func isForItsUserOnly(name: String) throws {
    let scratch = try Scratch()
    let old = umask(0o777)
    defer { umask(old) }
    let path = scratch.file(name)
    if geteuid() == 0 {
      // The superuser is the first to open somebody's store.
      chown(scratch.path, 1234, 1234)
      try write([1], to: scratch.file("data.mdb"))
      chown(scratch.file("data.mdb"), 1234, 1234)
    }
    try Self.open(name, path, .creating)
    #expect(status(of: path).st_mode & 0o7777 == 0o600)
    #expect(status(of: path).st_uid == (geteuid() == 0 ? 1234 : geteuid()))
  }

  enum Thing: CaseIterable { case link, danglingLink, hardLink, fifo, directory, othersFile }

  @Test(arguments: ["journal", "head", "lock"], Thing.allCases)
  func whatOthersHavePutThereIsRefused(name: String, thing: Thing) throws {
    if thing == .othersFile, geteuid() != 0 { return }
    let scratch = try Scratch()
    let (path, victim) = (scratch.file(name), scratch.file("victim"))
    try write([1, 2, 3], to: victim)
    switch thing {
    case .link: symlink(victim, path)
    case .danglingLink: symlink(scratch.file("nowhere"), path)
    case .hardLink: link(victim, path)
    case .fifo: mkfifo(path, 0o600)
    case .directory: mkdir(path, 0o700)
    case .othersFile:
      try write([4], to: path)
      chown(path, 65534, 65534)
    }
    let before = status(of: path)
    for access in [JournalFile.Access.creating, .writing, .reading] {
      #expect {
        try Self.open(name, path, access)
      } throws: { error in
        guard case .file(let reason) = (error as? JournalError)?.code else { return false }
        return reason.code == .foreignFile
      }
    }
    #expect(status(of: path).st_ino == before.st_ino && status(of: path).st_size == before.st_size)
    #expect(try contents(of: victim) == [1, 2, 3])
    #expect(access(scratch.file("nowhere"), F_OK) != 0)
  }

  private static func open(_ name: String, _ path: String, _ access: JournalFile.Access) throws {
    switch name {
    case "journal": _ = try JournalFile(path, access)
    case "head": _ = try JournalHead(path, access)
    default: _ = try JournalLock(path, access)
    }
  }
}

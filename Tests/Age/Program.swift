import Ageing
import ArgumentParser
import SatchelCare
import SatchelInterchange
import SatchelStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `satchel-age`: what years of a chat's commits make of a store's file.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel-age",
    abstract: "Ages a store by the commits of a chat, and tells where the bytes of its file go.",
    discussion: """
      Everything follows from the seed. Beside the aged store there are a compact copy of it and a fresh import of the \
      same content. The table goes to standard output, as Markdown; how far it has got, to standard error.
      """)

  @Option(help: "How many commits to make.")
  var commits = 100_000

  @Option(help: "The seed; a random one without, which is told.")
  var seed: UInt64?

  @Option(help: "A directory for the stores, which stay there; without, a temporary one that goes.")
  var directory: String?

  @Flag(
    help: "Also measure pages, counts, opening and commits. Only what is measured in one run can be compared."
  )
  var times = false

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1..<1_000_000_000)
    let place = directory ?? FileManager.default.temporaryDirectory.path + "/satchel-age-\(getpid())"
    if directory == nil {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    defer { if directory == nil { try? FileManager.default.removeItem(atPath: place) } }
    print("\(commits) commits, seed \(seed)\n")
    try age(place + "/aged", seed)
    do {
      let aged = try Self.opened(place + "/aged")
      defer { aged.close() }
      _ = try aged.backup(to: place + "/compacted", verifying: false)
      _ = try aged.backup(to: place + "/compact", compacting: true, verifying: true)
      try Self.reimport(aged, into: place + "/imported", by: place + "/lines")
    }
    try Self.compact(place + "/compacted")
    var table = SpaceTable()
    for name in ["aged", "compacted", "compact", "imported"] {
      let store = try Self.opened("\(place)/\(name)")
      defer { store.close() }
      table.add(name, try store.space())
    }
    print(table.text)
    guard times else { return }
    let stores = ["aged", "compacted", "imported"].map { ($0, "\(place)/\($0)") }
    print("\nMedians of seven rounds by turns; how many times those of the import in brackets.\n")
    print(try Times(of: stores, seed: seed).text)
  }

  /// Makes the commits, and tells now and then how long the file is.
  private func age(_ directory: String, _ seed: UInt64) throws {
    var aged = try AgedStore(at: directory, seed: seed)
    defer { aged.store.close() }
    let step = max(1, commits / 20)
    while aged.life.commits < commits {
      try aged.commit(min(step, commits - aged.life.commits))
      let info = try aged.store.environment.info
      let (file, free) = (info.fileBytes >> 10, info.freePages * info.pageSize >> 10)
      let line = "\(aged.life.commits) commits: \(file) KiB, \(free) KiB of them free pages\n"
      _ = write(2, line, line.utf8.count)
    }
  }

  /// Compacts a store where it is.
  private static func compact(_ directory: String) throws {
    var options = Store.Options()
    options.create = false
    let store = try Store.open(directory: directory, user: nil, options: options)
    defer { store.close() }
    try store.compact()
  }

  private static func opened(_ directory: String) throws -> Store {
    var options = Store.Options()
    options.create = false
    options.readOnly = true
    return try Store.open(directory: directory, user: nil, options: options)
  }

  /// Imports what a store has into a new one.
  private static func reimport(_ store: Store, into directory: String, by path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw ValidationError("\(path) cannot be written: name a directory that can") }
    defer {
      close(file)
      unlink(path)
    }
    _ = try StoreExport().write(store, to: file)
    lseek(file, 0, SEEK_SET)
    let importer = Importer(.descriptor(file))
    _ = try importer.run(into: directory, user: store.user)
  }
}

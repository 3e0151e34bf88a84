internal import LMDB
internal import SatchelExecution
internal import SatchelInterchange
internal import SatchelModel
internal import SatchelReading
internal import SatchelStorage
internal import StoreModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Opens what a crash has left, and says what is wrong with it.
package struct ImageCheck {
  /// What was recorded.
  package enum Recorded: Sendable, Codable {
    case script(Workload)
    /// An import of a file into a new store.
    case newImport(file: String)
  }

  private let directory: String
  private let recorded: Recorded
  private let history: [ReferenceStore]
  /// How many of the last commits may be undone.
  private let mayLose: Int
  /// What the whole import exports, for an import.
  private let expected: [UInt8]
  private let isOver: Int

  /// - Parameters:
  ///   - directory: Where images are made, one after the other.
  ///   - judgedAsFull: Whether each acknowledged commit has to be there, whatever the script's durability.
  ///   - end: The point of the log behind which the recorded program had ended.
  package init(_ recorded: Recorded, in directory: String, judgedAsFull: Bool, end: Int) throws {
    self.directory = directory
    self.recorded = recorded
    isOver = end
    switch recorded {
    case .script(let workload):
      history = try workload.history()
      // What a relaxed store has after a power cut is some earlier state.
      mayLose = workload.durability == .full || judgedAsFull ? 0 : workload.commits
      expected = []
    case .newImport(let file):
      history = []
      mayLose = 0
      let reference = directory + "-reference"
      try Self.importFile(file, into: reference)
      expected = try Self.export(reference)
    }
  }

  /// What is wrong with an image; nil when nothing is.
  package func complaint(
    about image: SimulatedDisk.Image, number: Int, _ acknowledged: Acknowledged, at point: Int
  ) throws -> String? {
    Files.remove(directory)
    try Files.makeDirectory(directory)
    for (path, bytes) in image {
      if let bytes {
        try Files.write(bytes, to: directory + "/" + path)
      } else {
        try Files.makeDirectory(directory + "/" + path)
      }
    }
    let store = directory + "/store"
    do {
      switch recorded {
      case .script(let workload):
        let left = directory + "-left"
        let hasIndexes = workload.indexing != nil && acknowledged.isOpen
        if hasIndexes { try Files.copyStore(store, to: left) }
        defer { if hasIndexes { Files.remove(left) } }
        if let complaint = try script(store, acknowledged, image: number, hasIndexes: hasIndexes) {
          return complaint
        }
        return hasIndexes ? try IndexCheck(left, seed: UInt64(number)).complaint() : nil
      case .newImport(let file): return try newImport(store, file, mustBeThere: point >= isOver)
      }
    } catch {
      return "refused: \(error)"
    }
  }

  private func script(_ path: String, _ acknowledged: Acknowledged, image: Int, hasIndexes: Bool) throws
    -> String?
  {
    var options = Store.Options()
    options.create = !acknowledged.isOpen
    // Half of them go on in the journal that they have found.
    options.durability = image.isMultiple(of: 2) ? .full : .temporaryImport
    options.journal = .short(seed: UInt64(image))
    options.aggregateEvaluator = QueryAggregateEvaluator()
    // Who builds beside makes commits that nobody counts.
    if hasIndexes { options.purgePause = nil }
    // One that was never acknowledged may be missing; it can be created then.
    if image.isMultiple(of: 3), acknowledged.isOpen, let difference = try readOnly(path, acknowledged) {
      return "for who may only read: " + difference
    }
    var store = try Store.open(directory: path, user: "me", options: options)
    defer { store.close() }
    if let difference = try store.read({ try acknowledged.difference($0, history, mayLose: mayLose) }) {
      return difference
    }
    if let complaint = try store.faults() ?? store.goesOn() { return complaint }
    guard image.isMultiple(of: 5) else { return nil }
    // The last one closes the door: data.mdb is the store then, whatever the journal was.
    let before = try store.sequence()
    store.close()
    for name in StoreFile.durable.dropFirst() + StoreFile.transient { Files.remove(path + "/" + name) }
    options.create = false
    store = try Store.open(directory: path, user: "me", options: options)
    let after = try store.sequence()
    guard after == before else { return "lost: data.mdb alone has commit \(after) of \(before)" }
    return try store.faults()
  }

  /// Reads an image as somebody who may not write to it.
  private func readOnly(_ path: String, _ acknowledged: Acknowledged) throws -> String? {
    var options = Store.Options()
    options.readOnly = true
    let store = try Store.open(directory: path, user: "me", options: options)
    defer { store.close() }
    return try store.read { try acknowledged.difference($0, history, mayLose: mayLose) }
  }

  private func newImport(_ path: String, _ file: String, mustBeThere: Bool) throws -> String? {
    if !Files.exists(path + "/data.mdb") {
      guard !mustBeThere else { return "lost: the import had ended, and there is no store" }
      // Whatever is left of it, the same import works now.
      try Self.importFile(file, into: path)
    }
    guard try Self.export(path) == expected else {
      return "wrong: the store is not the one that was imported"
    }
    let store = try Store.open(directory: path, user: "me", options: Store.Options())
    defer { store.close() }
    return try store.faults() ?? store.goesOn()
  }

  static func importFile(_ file: String, into path: String) throws {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TortureError("cannot read \(file)") }
    defer { close(descriptor) }
    _ = try Importer(.descriptor(descriptor)).run(into: path, user: "me")
  }

  /// What a store exports.
  static func export(_ path: String) throws -> [UInt8] {
    var options = Store.Options()
    options.readOnly = true
    let store = try Store.open(directory: path, user: nil, options: options)
    defer { store.close() }
    let file = path + ".export"
    defer { unlink(file) }
    let descriptor = open(file, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TortureError("cannot write \(file)") }
    defer { close(descriptor) }
    _ = try store.read { snapshot in
      var exporter = Exporter(snapshot, to: descriptor)
      return try exporter.run()
    }
    return try Files.read(file)
  }
}

import LMDBPages
import SatchelBytes

extension FuzzTarget {
  private static let imageScene: Result<ImageScene, any Error> = Result { try ImageScene() }

  static func imageSeeds() throws -> [[UInt8]] { ImageInput.seeds(try imageScene.get().originals) }

  /// A whole file: a few pages that LMDB has written, changed as the input says, audited, and read in one of the ways that
  /// there are without LMDB. What the audit calls sound is read without a fault, and every way gives the same entries.
  static let pages = FuzzTarget("pages", maximumBytes: ImageInput.maximumBytes) { bytes in
    let scene = try imageScene.get()
    let trial = Checksum.hash([UInt8](bytes)) & 3
    return try ImageInput.withFile(bytes, scene.originals) { memory in
      try scene.withFile(memory) { descriptor in
        guard let image = try? PageImage(descriptor: descriptor, bytes: memory) else {
          if trial == 0 { _ = try salvaged(scene.path, "things") { _, _ in true } }
          return false
        }
        let report = image.audit()
        var contents = try FileContents(image, limit: memory.count)
        switch trial {
        case 0: try salvage(scene.path, contents, isSound: report.isSound)
        case 1:
          var checks = PageChecks()
          checks.leaves = 0
          let isSafe = image.audit(beforeWriting: checks).isSound
          try expect(isSafe || !report.isSound, "the check before a write refuses a sound file")
        default: contents.compare()
        }
        guard report.isSound else { return false }
        try contents.expectSound()
        try expect(
          contents.freePages == report.freePages, "\(report.freePages) free pages, counted otherwise")
        return true
      }
    } ?? false
  }

  /// Salvages each database. Of a sound file it is all that a walk has given.
  private static func salvage(_ path: String, _ contents: FileContents, isSound: Bool) throws {
    for (name, _, entries) in contents.databases where !entries.isEmpty {
      let found = try salvaged(path, name) { key, value in isSound || key.count &+ value.count & 1 == 0 }
      // Where a meta page cannot be believed, the last state is known by what only a store can put into its values.
      guard isSound, !found.hasFoundTables else { continue }
      try expect(
        found.lost.isEmpty && found.entries == entries,
        "\(name): salvage finds \(found.entries.count) of \(entries.count) entries, and has lost \(found.lost)"
      )
    }
  }

  private static func salvaged(
    _ path: String, _ name: String,
    _ isIntact: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) throws -> (entries: [FileContents.Entry], lost: [PageSalvage.LostRange], hasFoundTables: Bool) {
    var entries: [FileContents.Entry] = []
    let salvage = try PageSalvage(
      path: path, tables: [name], isIntact: isIntact, table: { _ in name },
      version: PageSalvage.Version(table: name, key: [0, 0, 0, 0, 0, 0, 0, 2]) { UInt64($0.count) },
      found: { entries.append(FileContents.Entry(key: $0.key, value: $0.value)) })
    let summary = try salvage.run()
    return (entries, summary.lost, summary.hasFoundTables)
  }
}

/// The entries of a file's databases, and the first fault that was met.
private struct FileContents {
  struct Entry: Equatable {
    let key: [UInt8]
    let value: [UInt8]
  }

  private(set) var databases: [(name: String, tree: PageImage.Tree, entries: [Entry])] = []
  private(set) var freePages: Int?
  private var fault: PageFault?
  private var difference: String?

  /// - Parameter limit: More entries than this are more than the file has bytes: a walk that goes in circles.
  init(_ image: PageImage, limit: Int) throws {
    freePages = attempt { () throws(PageFault) in try image.freePages() }
    guard let names = try entries(of: image.mainTable, limit) else { return }
    for name in names {
      guard let name = String(validating: name.key, as: UTF8.self) else { continue }
      let tree: PageImage.Tree?
      do {
        tree = try image.database(named: name)
      } catch {
        // The main table may hold a value that is no database.
        if error.cause != .valueKind { note(error) }
        continue
      }
      guard let tree else {
        differ("the main table has \(name), and no database of that name is found")
        continue
      }
      guard let entries = try entries(of: tree, limit) else { continue }
      if let statistics = attempt({ () throws(PageFault) in try tree.statistics() }) {
        if statistics.entries != entries.count || statistics.pages > limit {
          differ("\(name) has \(entries.count) entries, and \(statistics)")
        }
      }
      databases.append((name, tree, entries))
    }
  }

  /// Throws unless no fault was met, and all ways of reading gave the same.
  func expectSound() throws {
    if let fault {
      throw FuzzTarget.Violation("a file that is sound to the audit, and a read meets \(fault)")
    }
    if let difference { throw FuzzTarget.Violation(difference) }
  }

  private mutating func note(_ fault: PageFault) {
    if self.fault == nil { self.fault = fault }
  }

  private mutating func differ(_ text: String) {
    if difference == nil { difference = text }
  }

  private mutating func attempt<R>(_ body: () throws(PageFault) -> R) -> R? {
    do { return try body() } catch {
      note(error)
      return nil
    }
  }

  /// The entries on a way forwards; nil where it meets a fault.
  private mutating func entries(of tree: PageImage.Tree, _ limit: Int) throws -> [Entry]? {
    var walk = tree.walk()
    var entries: [Entry] = []
    do throws(PageFault) {
      while entries.count <= limit, let entry = try walk.next() {
        entries.append(Entry(key: [UInt8](entry.key), value: [UInt8](entry.value)))
      }
    } catch {
      note(error)
      return nil
    }
    try expect(entries.count <= limit, "a walk goes in circles")
    return entries
  }

  /// Reads each database backwards and by its keys as well.
  mutating func compare() {
    for (name, tree, entries) in databases {
      compareBackwards(tree, name, entries)
      compareByKeys(tree, name, entries)
    }
  }

  private mutating func compareBackwards(_ tree: PageImage.Tree, _ name: String, _ entries: [Entry]) {
    var walk = tree.walk()
    var rest = entries[...]
    while let entry = attempt({ () throws(PageFault) in try walk.previous() }), let found = entry {
      guard let last = rest.popLast(), last.key.elementsEqual(found.key),
        last.value.elementsEqual(found.value)
      else { return differ("\(name) backwards has other entries") }
    }
    if !rest.isEmpty { differ("\(name) backwards has fewer entries") }
  }

  private mutating func compareByKeys(_ tree: PageImage.Tree, _ name: String, _ entries: [Entry]) {
    var places = tree.walk()
    for step in entries.indices {
      // Keys of the beginning and of the end by turns, so that one is seldom in the page of the one before.
      let index = step & 1 == 0 ? step / 2 : entries.count - 1 - step / 2
      let entry = entries[index]
      entry.key.withUnsafeBytes { key in
        let value = attempt { () throws(PageFault) in try tree.value(key) }
        if value??.elementsEqual(entry.value) != true { differ("\(name): a key of the walk is not found") }
        let place = attempt { () throws(PageFault) in try places.seek(atOrAfter: key) }
        if place??.key.elementsEqual(key) != true { differ("\(name): no place for a key of the walk") }
      }
      // The very next key: it is that of the next entry, or it is not found.
      let next = entry.key + [0]
      next.withUnsafeBytes { key in
        guard let value = attempt({ () throws(PageFault) in try tree.value(key) }) else { return }
        let isThere = index + 1 < entries.count && entries[index + 1].key == next
        if (value != nil) != isThere { differ("\(name): a key is found that the walk has not") }
      }
    }
  }
}

import StoreModel
package import TestSupport

/// Files and directories as they are for the programs of a machine, and as they would be after its sudden end.
///
/// Everything since the last sync of a file may be on the disk or not, in any order, in units of a page or a sector. So may
/// a change of a directory since its own last sync. What has been synced stays.
package struct SimulatedDisk {
  package static let page = 4096
  package static let sector = 512

  private enum Node: Equatable {
    case file(Int)
    case directory
  }

  private struct File {
    /// Its path if it is one of the transient files.
    var transientPath: String?
    /// As programs see it.
    var current: [UInt8] = []
    /// As of the last sync.
    var durable: [UInt8] = []
    /// The changes since then.
    var pending: [DataChange] = []
    /// The pages that a failed sync has dropped: later syncs know nothing of them until they are written again.
    var lost: Set<Int> = []
  }

  private enum DataChange {
    case write(offset: Int, bytes: Range<Int>)
    case truncate(size: Int)
  }

  private enum NameChange {
    case put(String, Node)
    /// With what is renamed: its new name is durable with the new directory, even where its old one never was.
    case rename(String, to: String, Node)
    case remove(String)

    /// The directory whose sync makes it durable.
    var directory: String {
      switch self {
      case .put(let path, _), .rename(_, let path, _), .remove(let path): SimulatedDisk.parent(of: path)
      }
    }
  }

  private let log: ShimLog
  /// Whether syncs do nothing, as on a disk that lies about them.
  private let liesAboutSync: Bool
  private var files: [File] = []
  /// The number that the machine has given a file, to ours.
  private var known: [UInt64: Int] = [:]
  private var directories: [UInt64: String] = [:]
  private var names: [String: Node] = [:]
  private var durableNames: [String: Node] = [:]
  private var pendingNames: [NameChange] = []
  /// What the journal's head has held, the newest last: a crash may leave any of it.
  private var heads: [(path: String, bytes: [UInt8])] = []
  /// How many changes have been made.
  package private(set) var made = 0

  package init(_ log: ShimLog, liesAboutSync: Bool = false) {
    self.log = log
    self.liesAboutSync = liesAboutSync
  }

  /// Whether a crash now could leave something else than what programs see.
  package var hasPending: Bool { !pendingNames.isEmpty || files.contains { !$0.pending.isEmpty } }

  /// Makes the next change.
  package mutating func advance() {
    let change = log.changes[made]
    made += 1
    switch change {
    case .write(let number, let offset, let bytes, let isDurable):
      guard let file = known[number] else { return }
      Self.apply(.write(offset: offset, bytes: bytes), log.bytes, &files[file].current)
      if !files[file].lost.isEmpty { files[file].lost.subtract(Self.pages(offset, bytes.count)) }
      if let path = files[file].transientPath { return heads.append((path, files[file].current)) }
      if isDurable, !liesAboutSync {
        Self.apply(.write(offset: offset, bytes: bytes), log.bytes, &files[file].durable)
      } else {
        note(.write(offset: offset, bytes: bytes), file)
      }
    case .truncate(let number, let size):
      guard let file = known[number] else { return }
      Self.apply(.truncate(size: size), log.bytes, &files[file].current)
      note(.truncate(size: size), file)
    case .sync(let number): if !liesAboutSync { sync(number) }
    case .failedSync(let number): if let file = known[number] { lose(file) }
    case .create(let path, let number):
      known[number] = files.count
      directories[number] = nil
      put(.put(path, .file(files.count)))
      files.append(File())
      if StoreFile.transient.contains(Self.name(of: path)) { files[files.count - 1].transientPath = path }
    case .know(let path, let number):
      if names[path] == .directory || path.isEmpty { directories[number] = path }
    case .rename(let old, let new): if let node = names[old] { put(.rename(old, to: new, node)) }
    case .unlink(let path), .removeDirectory(let path): put(.remove(path))
    case .makeDirectory(let path): put(.put(path, .directory))
    case .mark: break
    }
  }

  private mutating func note(_ change: DataChange, _ file: Int) {
    files[file].pending.append(change)
    // A disk that lies still writes most of what it is given, in time.
    if liesAboutSync, files[file].pending.count > 48 {
      Self.apply(files[file].pending.removeFirst(), log.bytes, &files[file].durable)
    }
  }

  private mutating func put(_ change: NameChange) {
    Self.apply(change, &names)
    pendingNames.append(change)
  }

  private mutating func sync(_ number: UInt64) {
    if let directory = directories[number] {
      for change in pendingNames where change.directory == directory { Self.apply(change, &durableNames) }
      pendingNames.removeAll { $0.directory == directory }
    } else if let file = known[number] {
      var content = files[file].current
      for page in files[file].lost {
        let place = min(page * Self.page, content.count)..<min((page + 1) * Self.page, content.count)
        for index in place {
          content[index] = index < files[file].durable.count ? files[file].durable[index] : 0
        }
      }
      files[file].durable = content
      files[file].pending = []
    }
  }

  /// After a sync that has failed, the system holds what was to be written for written: the disk never gets it.
  private mutating func lose(_ file: Int) {
    for change in files[file].pending {
      switch change {
      case .write(let offset, let bytes): files[file].lost.formUnion(Self.pages(offset, bytes.count))
      case .truncate: Self.apply(change, log.bytes, &files[file].durable)
      }
    }
    files[file].pending = []
  }

  private static func pages(_ offset: Int, _ count: Int) -> ClosedRange<Int> {
    offset / page...(offset + max(count, 1) - 1) / page
  }

  // MARK: Images

  /// What would be on the disk, by path: nil stands for a directory.
  package typealias Image = [(path: String, bytes: [UInt8]?)]

  /// A file of the journal's head as a crash may leave it: none, what programs have seen last, or any state before that.
  package func head(_ generator: inout SeededGenerator) -> Image {
    guard let last = heads.last, names[Self.parent(of: last.path)] == .directory else { return [] }
    switch generator.draw(below: 5) {
    case 0: return []
    case 1: return [(last.path, last.bytes)]
    case 2: return [(last.path, [UInt8](repeating: 0, count: generator.chance(50) ? Self.page : 0))]
    default:
      let (path, bytes) = generator.draw(from: heads)
      return [(path, bytes)]
    }
  }

  /// Everything that has been done so far, in order; of a write that is under way, so many bytes.
  package func prefix(andOfNext count: Int = 0) -> Image {
    let now = names
    guard count > 0, case .write(let number, let offset, let bytes, _) = log.changes[made],
      let torn = known[number]
    else { return image(now) { files[$0].current } }
    return image(now) { file in
      var content = files[file].current
      if file == torn {
        Self.apply(
          .write(offset: offset, bytes: bytes.lowerBound..<bytes.lowerBound + count), log.bytes, &content)
      }
      return content
    }
  }

  /// What has been synced, and of the rest a random selection.
  package func reordered(_ generator: inout SeededGenerator) -> Image {
    var found = durableNames
    let isOrdered = generator.chance(50)
    let kept = generator.draw(below: pendingNames.count + 1)
    for (index, change) in pendingNames.enumerated() where isOrdered ? index < kept : generator.chance(50) {
      Self.apply(change, &found)
    }
    let (unit, loss) =
      switch generator.draw(below: 4) {
      case 0: (Self.page, 50)
      case 1: (Self.sector, 50)
      case 2: (Self.page, 12)
      default: (Int.max, 50)
      }
    var contents: [Int: [UInt8]] = [:]
    for case .file(let file) in found.values where contents[file] == nil {
      contents[file] = select(files[file], unit, loss, &generator)
    }
    return image(found) { contents[$0] ?? [] }
  }

  private func select(_ file: File, _ unit: Int, _ loss: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var content = file.durable
    for change in file.pending {
      guard case .write(let offset, let bytes) = change else {
        if !generator.chance(loss) { Self.apply(change, log.bytes, &content) }
        continue
      }
      var place = 0
      while place < bytes.count {
        // Units are those of the disk: a write that begins in the middle of one ends with it.
        let rest = unit == .max ? bytes.count : unit - (offset + place) % unit
        let count = min(rest, bytes.count - place)
        if !generator.chance(loss) {
          let start = bytes.lowerBound + place
          Self.apply(.write(offset: offset + place, bytes: start..<start + count), log.bytes, &content)
        }
        place += count
      }
    }
    return content
  }

  private func image(_ names: [String: Node], _ content: (Int) -> [UInt8]) -> Image {
    var image: Image = []
    for path in names.keys.sorted() where names[path].map({ isReached(path, names, $0) }) ?? false {
      guard !StoreFile.transient.contains(Self.name(of: path)) else { continue }
      switch names[path] {
      case .file(let file)?: image.append((path, content(file)))
      default: image.append((path, nil))
      }
    }
    return image
  }

  /// Whether all directories above it are there.
  private func isReached(_ path: String, _ names: [String: Node], _ node: Node) -> Bool {
    var above = Self.parent(of: path)
    while !above.isEmpty {
      guard names[above] == .directory else { return false }
      above = Self.parent(of: above)
    }
    return true
  }

  // MARK: Changes

  private static func apply(_ change: DataChange, _ log: [UInt8], _ content: inout [UInt8]) {
    switch change {
    case .truncate(let size):
      if size < content.count {
        content.removeLast(content.count - size)
      } else {
        content.append(contentsOf: repeatElement(0, count: size - content.count))
      }
    case .write(let offset, let bytes):
      let end = offset + bytes.count
      if end > content.count { content.append(contentsOf: repeatElement(0, count: end - content.count)) }
      content.withUnsafeMutableBytes { content in
        log.withUnsafeBytes { log in
          UnsafeMutableRawBufferPointer(rebasing: content[offset..<end])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: log[bytes]))
        }
      }
    }
  }

  private static func apply(_ change: NameChange, _ names: inout [String: Node]) {
    switch change {
    case .put(let path, let node): names[path] = node
    case .remove(let path): names[path] = nil
    case .rename(let old, let new, let node):
      names[old] = nil
      names[new] = node
      for path in names.keys where path.hasPrefix(old + "/") {
        names[new + path.dropFirst(old.count)] = names.removeValue(forKey: path)
      }
    }
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}

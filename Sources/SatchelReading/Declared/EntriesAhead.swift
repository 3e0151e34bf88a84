package import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing

/// The entries that the next objects are to have in a declared index that is being built: all at once, from one state of the store.
///
/// Made from a snapshot ahead of the write that puts them in, they are nearly all that is to be done: the write follows with
/// what the log says has changed since, and others wait the less for it.
package struct EntriesAhead: Sendable {
  /// How much is made at once.
  package struct Bounds: Sendable {
    /// The most objects that are looked at.
    package var objects: Int
    /// The most bytes that the entries take in a journal, unless one object alone has more.
    package var bytes: Int

    package init(objects: Int, bytes: Int = .max) {
      self.objects = objects
      self.bytes = bytes
    }

    /// What one record of the journal has room for, beside the rest of a commit. Many objects may have no entries.
    package static let ofACommit = Bounds(objects: 200_000, bytes: 900 << 10)
  }

  private let record: DeclaredIndexRecord
  /// The commit whose state the entries are of.
  private var commit: UInt64
  /// They are those of the objects from this number on, and before `end`.
  private var first: UInt64
  package let end: UInt64
  /// Whether there was no object from `end` on.
  package let isLast: Bool
  package private(set) var entries: TextBatch

  /// Makes those of the first index that is being built.
  /// - Returns: Nil if none is, or others come first, or it is unique: what is made ahead is not looked at for doubles.
  package init?(
    in snapshot: Snapshot, atMost bounds: Bounds = .ofACommit, by evaluator: any AggregateEvaluator
  ) throws {
    guard let (record, first) = try Self.buildable(in: snapshot) else { return nil }
    try self.init(of: record, from: first, atMost: bounds, in: snapshot, by: evaluator)
    // No number is behind the greatest one.
    guard end >= first else { return nil }
    entries.sort()
  }

  /// Makes those of the objects behind others', which are about to be put in.
  /// - Returns: Nil if their index is no longer the one that is built next.
  package init?(
    behind other: EntriesAhead, in snapshot: Snapshot, atMost bounds: Bounds = .ofACommit,
    by evaluator: any AggregateEvaluator
  ) throws {
    guard let record = try Self.next(in: snapshot), record.id == other.record.id,
      record.definition == other.record.definition
    else { return nil }
    try self.init(of: record, from: other.end, atMost: bounds, in: snapshot, by: evaluator)
    guard end >= first else { return nil }
    entries.sort()
  }

  /// Makes those of an index.
  package init(
    of record: DeclaredIndexRecord, from first: UInt64, atMost bounds: Bounds, in snapshot: Snapshot,
    by evaluator: any AggregateEvaluator
  ) throws {
    let made = try evaluator.entries(of: record.definition, in: snapshot)
    var entries = TextBatch(IndexCatalog.declaredEntries.tree)
    // Of words, each object has many entries.
    let few = record.definition.isOfWords ? Self.fewTexts : Self.fewObjects
    var (looked, room) = (0, min(bounds.objects, few))
    var (end, isLast) = (first, false)
    while room > 0, !isLast {
      let step = try snapshot.declaredIndexStep(of: record.kind, from: end, atMost: room)
      var more = TextBatch(entries.tree)
      try made.add(Self.asTheirRecordsLie(step.objects), of: record.id, to: &more)
      if entries.byteCount + more.byteCount > bounds.bytes, step.objects.count > 1 {
        if looked > 0 { break }
        room = step.objects.count / 4 + 1
        continue
      }
      entries.append(more)
      looked += step.objects.count
      isLast = step.next == nil
      end = step.next ?? step.objects.last.map { $0.number &+ 1 } ?? end
      // A little less than the next ones probably have room for.
      let bytes = max(1, entries.byteCount / max(1, looked)) * 9 / 8 + 1
      room = min(bounds.objects - looked, (bounds.bytes - entries.byteCount) / bytes, Self.manyObjects)
      if room < Self.tooFew { break }
    }
    self.record = record
    commit = snapshot.seal.commit
    self.first = first
    self.end = end
    self.isLast = isLast
    self.entries = entries
  }

  /// Whether those of the index that is built next can be made.
  package static func canBeMade(in snapshot: Snapshot) throws -> Bool { try buildable(in: snapshot) != nil }

  private static func buildable(in snapshot: Snapshot) throws -> (record: DeclaredIndexRecord, first: UInt64)?
  {
    guard snapshot.seal[.indexBuilds].count == 0, let record = try next(in: snapshot),
      case .building(let first) = record.entry.state, !record.definition.isUnique
    else { return nil }
    return (record, first)
  }

  private static let fewObjects = 4096
  private static let fewTexts = 256
  private static let manyObjects = 32_768
  /// So few objects more are not worth another look.
  private static let tooFew = 64

  /// The index that is built next.
  package static func next(in snapshot: Snapshot) throws -> DeclaredIndexRecord? {
    try snapshot.declaredIndexes().first { $0.entry.isBuilding }
  }

  /// Returns objects in the order in which their records lie in their tables, if they come in that of their numbers.
  private static func asTheirRecordsLie(_ objects: [ObjectRow]) -> [ObjectRow] {
    guard case .message(let key)? = objects.first, !key.isAnnouncement else { return objects }
    let conversations: [UInt64] = objects.map { object in
      if case .message(let key) = object { UInt64(key.conversation) } else { 0 }
    }
    return RadixOrder.indices(of: conversations).map { objects[Int($0)] }
  }
}

extension EntriesAhead {
  /// Makes them those of a later state: of each object that has changed, and is to have entries of these, they are made again.
  /// - Parameter most: How many objects may have changed.
  /// - Returns: Whether they are. If not, they are of no use: the index is no longer the one that is built next, or has got further, or the
  ///   log does not name every object that has changed.
  package mutating func follow(
    to snapshot: Snapshot, atMost most: Int = .max, by evaluator: any AggregateEvaluator
  ) throws -> Bool {
    guard let now = try Self.next(in: snapshot), now.id == record.id, now.definition == record.definition,
      let kind = now.kind, case .building(let next) = now.entry.state,
      (first...max(first, end)).contains(next)
    else { return false }
    // Others have built these.
    if next > first {
      entries.removeEntries { $0 < next }
      first = next
    }
    guard let changed = try numbersChanged(of: kind, in: snapshot), changed.count <= most else {
      return false
    }
    commit = snapshot.seal.commit
    guard !changed.isEmpty else { return true }
    entries.removeEntries(where: changed.contains)
    let objects = try changed.sorted().compactMap {
      try snapshot.declaredIndexObject(of: kind, numbered: $0)
    }
    try evaluator.entries(of: record.definition, in: snapshot).add(objects, of: record.id, to: &entries)
    return true
  }

  /// Returns the numbers, from `first` on and before `end`, of the objects of the index's kind that have changed since; nil if the log
  /// does not name them all.
  private func numbersChanged(of indexed: IndexedKind, in snapshot: Snapshot) throws -> Set<UInt64>? {
    let kind = indexed.kind
    var numbers: Set<UInt64> = []
    var namesAll = true
    func note(_ number: UInt64) {
      if number >= first && number < end { numbers.insert(number) }
    }
    let reachesBack = try snapshot.forEachEntry(after: commit) { _, entry, _ in
      for change in entry.changes {
        if IndexedKind(change.object) == indexed { note(change.object.number) }
        // A conversation's numbers change with its messages.
        if kind == .conversations, case .message(let key) = change.object { note(UInt64(key.conversation)) }
      }
      for range in entry.ranges {
        switch range.scope {
        case .importNumber: namesAll = false
        case .conversation(let row):
          if kind == .conversations { note(UInt64(row)) }
          let isConcerned = range.sequences.upperBound >= first && range.sequences.lowerBound < end
          if kind == .messages, isConcerned { namesAll = false }
        }
      }
    }
    return reachesBack && namesAll ? numbers : nil
  }
}

internal import RankedKeys
import SatchelBytes

/// The changes that one commit makes to a string tree, in any order of keys. Changes of one key follow each other in
/// the order in which they are added.
struct TextChanges: Sendable {
  let tree: TextTreeSchema
  /// The groups and texts of all changes, one after another.
  private(set) var bytes: [UInt8] = []
  private(set) var changes: [Change] = []

  /// One change: its key's bytes are a range of all bytes.
  struct Change: Sendable {
    let bytes: Range<Int>
    let row: UInt64
    /// The group, and the first eight bytes of the text, big-endian. They decide most comparisons of a sort.
    let group: UInt64
    let start: UInt64
    let isInsertion: Bool

    /// The key as words, for an error.
    var words: [UInt64] { [group, start, row] }
  }

  init(_ tree: TextTreeSchema) {
    self.tree = tree
  }

  var count: Int { changes.count }

  /// Adds a new entry, which must be absent.
  mutating func insert(_ key: TextKey) { append(key, isInsertion: true) }

  /// Adds the removal of an entry, which must be present.
  mutating func remove(_ key: TextKey) { append(key, isInsertion: false) }

  private mutating func append(_ key: TextKey, isInsertion: Bool) {
    unsafe append(group: key.group, text: key.text.span.bytes, row: key.row, isInsertion: isInsertion)
  }

  /// Reads one more change: see `ForestChanges.encode`.
  /// - Throws: `ByteError` if the bytes are not a change of a string tree.
  mutating func read(_ bytes: RawSpan, _ reader: inout ByteReader) throws(ByteError) {
    let start = reader.offset
    let kind = try reader.u8(bytes)
    guard kind <= 1 else { throw ByteError(offset: start) }
    let group = try reader.u64(bytes)
    let row = try reader.u64(bytes)
    let text = bytes.extracting(try reader.counted(bytes))
    append(group: group, text: text, row: row, isInsertion: kind == 1)
  }

  /// Adds the changes of others of the tree, behind these.
  mutating func append(_ other: TextChanges) {
    guard count > 0 else { return self = other }
    let shift = bytes.count
    bytes.append(contentsOf: other.bytes)
    changes.append(
      contentsOf: other.changes.lazy.map { change in
        Change(
          bytes: change.bytes.lowerBound + shift..<change.bytes.upperBound + shift, row: change.row,
          group: change.group, start: change.start, isInsertion: change.isInsertion)
      })
  }

  /// Calls `body` with the text of each change of a group.
  func forEachText(ofGroup group: UInt64, _ body: (RawSpan) -> Void) {
    let all = unsafe bytes.span.bytes
    for change in changes where change.group == group {
      body(all.extracting(change.bytes.lowerBound + TextLimit.groupBytes..<change.bytes.upperBound))
    }
  }

  /// Removes some changes. Their bytes stay.
  mutating func removeAll(where isRemoved: (Change) -> Bool) { changes.removeAll(where: isRemoved) }

  mutating func append(group: UInt64, text: RawSpan, row: UInt64, isInsertion: Bool) {
    let first = bytes.count
    unsafe withUnsafeBytes(of: group.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    unsafe text.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    changes.append(
      Change(bytes: first..<bytes.count, row: row, group: group, start: text.start, isInsertion: isInsertion))
  }

  /// Compares the keys. The result is negative, 0 or positive.
  static func compare(_ left: Change, _ right: Change, _ bytes: [UInt8]) -> Int {
    if left.group != right.group { return left.group < right.group ? -1 : 1 }
    if left.start != right.start { return left.start < right.start ? -1 : 1 }
    let all = unsafe bytes.span.bytes
    let order = all.extracting(left.bytes).compare(all.extracting(right.bytes))
    if order != 0 { return order }
    return left.row == right.row ? 0 : left.row < right.row ? -1 : 1
  }
}

/// As soon as they are sorted, they are a `SortedChanges` themselves.
extension TextChanges: TreeChanges, SortedChanges {
  typealias Tree = TextTreeSchema

  func sorted(from index: Int) -> TextChanges {
    var sorted = self
    if index > 0 { sorted.changes.removeFirst(index) }
    sorted.changes = inOrder(sorted.changes)
    return sorted
  }

  var textBytes: Int { bytes.count }

  func kind(_ change: Int) -> ChangeKind { changes[change].isInsertion ? .insert : .remove }

  func haveSameKey(_ left: Int, _ right: Int) -> Bool {
    Self.compare(changes[left], changes[right], bytes) == 0
  }

  func compare(_ row: Int, of keys: TextKeys, with change: Int) -> Int {
    let change = changes[change]
    return unsafe keys.compare(row, bytes.span.bytes.extracting(change.bytes), change.row)
  }

  func append(_ change: Int, to keys: TextKeys, behind count: Int) {
    let change = changes[change]
    unsafe keys.append(bytes.span.bytes.extracting(change.bytes), change.row, behind: count)
  }

  func words(_ change: Int) -> [UInt64] { changes[change].words }
}

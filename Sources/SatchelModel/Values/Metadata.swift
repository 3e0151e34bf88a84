internal import SatchelBytes
package import SatchelText

/// Nested dictionaries of values that an application attaches to conversations, messages, announcements and
/// identities, and by which queries find these.
///
/// A key is a text of 1 to 256 UTF-8 bytes without NUL; a value is a text of at most 2 KiB, a number, a Boolean, a date, a
/// list of texts or a dictionary: ``MetadataValue``. A key path joins keys by dots: `theme.color`; one whose keys have dots is an array of keys:
/// `["readAt", "alice@example.org"]`. Keys are equal if their bytes are, two texts if they are canonically
/// equivalent (NFC), two numbers if their values are. Entries are kept in the order of their keys.
///
/// A literal makes metadata of values and of nested literals, with variables as with constants:
/// `["title": title, "priority": 5, "due": Date.now, "theme": ["color": "red"]]`. The metadata of a message, a conversation or
/// an announcement is read-only; a write changes it.
public struct Metadata: Hashable, Sendable {
  /// One key and its value.
  public struct Entry: Sendable {
    /// The key.
    public let key: String
    /// Its value.
    public let value: MetadataValue

    package init(key: String, value: MetadataValue) {
      self.key = key
      self.value = value
    }
  }

  /// The most UTF-8 bytes that a text may have, also one in a list.
  public static let maximumValueBytes = 2048
  /// The most UTF-8 bytes that the texts of a list may have together.
  public static let maximumListBytes = 65_536
  /// The most dictionaries that may be nested in one another.
  public static let maximumDepth = 64

  private enum Storage: Sendable {
    case entries([Entry])
    /// The bytes of a few entries, at least one, as a record has them. A value is made each time it is asked for; all texts are known to
    /// be UTF-8.
    case bytes([UInt8])
  }

  private var storage: Storage

  /// The entries, in ascending order of their keys' UTF-8 bytes.
  /// - Complexity: O(1); of metadata that comes from a store and has not been changed, O(n) each time.
  public var entries: [Entry] {
    switch storage {
    case .entries(let entries): entries
    case .bytes(let bytes): unsafe MetadataBytes.entries(bytes.span.bytes) ?? []
    }
  }

  /// Makes empty metadata.
  public init() { storage = .entries([]) }

  /// Makes metadata of entries whose keys ascend, each key once.
  package init(ascending entries: [Entry]) { storage = .entries(entries) }

  /// Makes metadata of the bytes of a dictionary in a record, whose structure has been checked; nil if a text in it is not UTF-8. Copies
  /// them: they may lie where they can change.
  package init?(checked span: RawSpan) {
    guard !span.isEmpty else {
      storage = .entries([])
      return
    }
    let bytes = span.array
    switch unsafe MetadataBytes.survey(bytes.span.bytes) {
    case .few: storage = .bytes(bytes)
    case .many:
      guard let entries = unsafe MetadataBytes.entries(bytes.span.bytes) else { return nil }
      storage = .entries(entries)
    case .damaged: return nil
    }
  }

  /// The bytes of the dictionary in a record, if they are at hand.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = storage { bytes } else { nil } }

  /// Makes metadata of some entries; of two entries with the same key the later one is kept.
  /// - Complexity: O(n log n); O(n) if the keys ascend.
  package init(_ pairs: [(String, MetadataValue)]) {
    var steps = NoStepCount()
    self.init(pairs, counting: &steps)
  }

  package init(_ pairs: [(String, MetadataValue)], counting steps: inout some StepCount) {
    var count = steps
    count.add(pairs.count)
    var order = Array(pairs.indices)
    if !zip(pairs, pairs.dropFirst()).allSatisfy({ UTF8Order.isLess($0.0, $1.0) }) {
      order.sort { left, right in
        count.add(1)
        let (a, b) = (pairs[left].0, pairs[right].0)
        return UTF8Order.areEqual(a, b) ? left < right : UTF8Order.isLess(a, b)
      }
    }
    var entries: [Entry] = []
    entries.reserveCapacity(pairs.count)
    for index in order {
      let entry = Entry(key: pairs[index].0, value: pairs[index].1)
      if let last = entries.last, UTF8Order.areEqual(last.key, entry.key) { entries.removeLast() }
      entries.append(entry)
    }
    storage = .entries(entries)
    steps = count
  }

  /// True if there are no entries.
  public var isEmpty: Bool { if case .entries(let entries) = storage { entries.isEmpty } else { false } }

  /// The number of entries.
  var count: Int {
    switch storage {
    case .entries(let entries): entries.count
    case .bytes(let bytes): unsafe MetadataBytes.count(bytes.span.bytes)
    }
  }

  /// Returns the value of a key of this dictionary, not of nested ones; nil if there is none.
  public func value(forKey key: String) -> MetadataValue? {
    switch storage {
    case .entries(let entries):
      let index = Self.insertionIndex(of: key, in: entries)
      return Self.isKey(key, at: index, in: entries) ? entries[index].value : nil
    case .bytes(let bytes): return unsafe MetadataBytes.value(at: CollectionOfOne(key), bytes.span.bytes)
    }
  }

  /// The text at a dotted key path, as in `metadata["theme.color"]`; nil if there is none, or a value of another type.
  ///
  /// Setting a text makes the dictionaries on the path that do not exist, in place of other values too.
  /// Setting nil removes what is there, of whatever type it is. As in a literal, nothing is checked until the
  /// metadata is used in a store; ``set(_:at:)-(_,String)`` and ``remove(at:)-(String)`` check at once.
  /// - Complexity: O(log n) in the entries of each dictionary on the path to read, O(n) to set.
  public subscript(keyPath: String) -> String? {
    get { value(at: keyPath)?.textValue }
    set { self[MetadataPath(dotted: keyPath).keys] = newValue }
  }

  /// The text at a path of keys, which may have dots, as in `metadata[["readAt", "alice@example.org"]]`; otherwise like the
  /// subscript with a dotted key path.
  /// - Complexity: O(log n) in the entries of each dictionary on the path to read, O(n) to set.
  public subscript(keys: [String]) -> String? {
    get { value(at: keys)?.textValue }
    set { self = setting(newValue.map { .text($0) }, at: keys[...]) }
  }

  /// Returns the value at a dotted key path, of whatever type it is; nil if there is none.
  /// - Complexity: O(log n) in the entries of each dictionary on the path.
  public func value(at keyPath: String) -> MetadataValue? {
    keyPath.utf8.contains(MetadataPath.dot)
      ? value(at: MetadataPath(dotted: keyPath).keys) : value(forKey: keyPath)
  }

  /// Returns the value at a path of keys; nil if there is none or the path is empty.
  /// - Complexity: O(log n) in the entries of each dictionary on the path.
  public func value(at path: [String]) -> MetadataValue? {
    if case .bytes(let bytes) = storage { return unsafe MetadataBytes.value(at: path, bytes.span.bytes) }
    var current: MetadataValue = .dictionary(self)
    for key in path {
      guard case .dictionary(let dictionary) = current, let next = dictionary.value(forKey: key) else {
        return nil
      }
      current = next
    }
    return path.isEmpty ? nil : current
  }

  /// Calls `body` with every value that is no dictionary, and its key path, in ascending order of the keys.
  package func forEachValue(_ body: (_ path: [String], _ value: MetadataValue) -> Void) {
    walk(path: [], body)
  }

  private func walk(path: [String], _ body: ([String], MetadataValue) -> Void) {
    for entry in entries {
      switch entry.value {
      case .dictionary(let inner): inner.walk(path: path + [entry.key], body)
      default: body(path + [entry.key], entry.value)
      }
    }
  }

  private static func isKey(_ key: String, at index: Int, in entries: [Entry]) -> Bool {
    index < entries.count && UTF8Order.areEqual(entries[index].key, key)
  }

  private static func insertionIndex(of key: String, in entries: [Entry]) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if UTF8Order.isLess(entries[middle].key, key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Sets or, with nil, removes the value of a key of this dictionary, not of nested ones.
  /// - Complexity: O(n): to set many keys, use ``init(_:)`` or `MetadataEdit`.
  package mutating func set(_ value: MetadataValue?, forKey key: String) {
    var entries = entries
    // Not held twice, so that it is changed in place.
    storage = .entries([])
    let index = Self.insertionIndex(of: key, in: entries)
    let found = Self.isKey(key, at: index, in: entries)
    switch (value, found) {
    case (let value?, true): entries[index] = Entry(key: key, value: value)
    case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
    case (nil, true): entries.remove(at: index)
    case (nil, false): break
    }
    storage = .entries(entries)
  }
}

extension Metadata {
  /// Whether both have the same keys, with equal values.
  public static func == (left: Self, right: Self) -> Bool {
    // No number in a record is NaN.
    if let left = left.bytes, let right = right.bytes, left == right { return true }
    return left.entries == right.entries
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension Metadata.Entry: Hashable {
  /// Whether both have the same key and equal values.
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Order.areEqual(left.key, right.key) && left.value == right.value
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    UTF8Order.hash(key, into: &hasher)
    hasher.combine(value)
  }
}

/// Nested dictionaries of strings that an application attaches to conversations, messages, announcements and
/// identities, and by which queries find these.
///
/// A key is one or more of `A-Z a-z 0-9 _ -`; a value is a text of at most 2 KiB or a dictionary. A key path joins keys
/// by dots: `theme.color`. Two values are equal if their texts are canonically equivalent (NFC). Entries are kept in
/// the order of their keys, so that equal metadata has one encoding.
public struct Metadata: Hashable, Sendable {
  /// A text or a dictionary.
  public enum Value: Sendable {
    /// A text of at most ``Metadata/maximumValueBytes`` UTF-8 bytes.
    case text(String)
    /// A nested dictionary.
    case dictionary(Metadata)
  }

  /// One key and its value.
  public struct Entry: Sendable {
    /// The key.
    public let key: String
    /// Its value.
    public let value: Value

    package init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The most UTF-8 bytes that a text may have.
  public static let maximumValueBytes = 2048
  /// The most dictionaries that may be nested in one another.
  public static let maximumDepth = 64

  /// The entries, in ascending order of their keys' UTF-8 bytes.
  public private(set) var entries: [Entry]

  /// Makes empty metadata.
  public init() { entries = [] }

  /// Makes metadata of entries whose keys ascend, each key once: those of a record, which have been checked.
  package init(ascending entries: [Entry]) { self.entries = entries }

  /// Makes metadata of some entries; of two entries with the same key the later one is kept.
  /// - Complexity: O(n log n); O(n) if the keys ascend.
  package init(_ pairs: [(String, Value)]) {
    var steps = NoStepCount()
    self.init(pairs, counting: &steps)
  }

  package init(_ pairs: [(String, Value)], counting steps: inout some StepCount) {
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
    entries = []
    entries.reserveCapacity(pairs.count)
    for index in order {
      let entry = Entry(key: pairs[index].0, value: pairs[index].1)
      if let last = entries.last, UTF8Order.areEqual(last.key, entry.key) { entries.removeLast() }
      entries.append(entry)
    }
    steps = count
  }

  /// True if there are no entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// Returns the value of a key of this dictionary, not of nested ones; nil if there is none.
  public func value(forKey key: String) -> Value? {
    let index = insertionIndex(of: key)
    return isKey(key, at: index) ? entries[index].value : nil
  }

  /// The text at a dotted key path; nil if there is none, or a dictionary.
  /// - Complexity: O(log n) in the entries of each dictionary on the path.
  public subscript(keyPath: String) -> String? {
    guard case .text(let text)? = value(at: keyPath.split(separator: ".").map(String.init)) else {
      return nil
    }
    return text
  }

  /// Returns the text or dictionary at a path of keys; nil if there is none or the path is empty.
  /// - Complexity: O(log n) in the entries of each dictionary on the path.
  public func value(at path: [String]) -> Value? {
    var current: Value = .dictionary(self)
    for key in path {
      guard case .dictionary(let dictionary) = current, let next = dictionary.value(forKey: key) else {
        return nil
      }
      current = next
    }
    return path.isEmpty ? nil : current
  }

  /// Calls `body` with every text and its key path, in ascending order of the keys.
  package func forEachText(_ body: (_ path: [String], _ text: String) -> Void) { walk(path: [], body) }

  private func walk(path: [String], _ body: ([String], String) -> Void) {
    for entry in entries {
      switch entry.value {
      case .text(let text): body(path + [entry.key], text)
      case .dictionary(let inner): inner.walk(path: path + [entry.key], body)
      }
    }
  }

  private func isKey(_ key: String, at index: Int) -> Bool {
    index < entries.count && UTF8Order.areEqual(entries[index].key, key)
  }

  private func insertionIndex(of key: String) -> Int {
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
  package mutating func set(_ value: Value?, forKey key: String) {
    let index = insertionIndex(of: key)
    let found = isKey(key, at: index)
    switch (value, found) {
    case (let value?, true): entries[index] = Entry(key: key, value: value)
    case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
    case (nil, true): entries.remove(at: index)
    case (nil, false): break
    }
  }
}

extension Metadata.Value: Hashable {
  /// Whether both are equal; texts are, if they are canonically equivalent (NFC).
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)):
      UTF8Order.areEqual(left, right) || UTF8Order.areEqual(NFC.normalized(left), NFC.normalized(right))
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): UTF8Order.hash(NFC.normalized(text), into: &hasher)
    case .dictionary(let metadata): hasher.combine(metadata)
    }
  }
}

extension Metadata.Entry: Hashable {
  /// Whether both are equal; texts are, if they are canonically equivalent (NFC).
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Order.areEqual(left.key, right.key) && left.value == right.value
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    UTF8Order.hash(key, into: &hasher)
    hasher.combine(value)
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  /// Makes metadata of keys and values; of two values of one key the later one is kept. Nothing is checked until the
  /// metadata is used in a store.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Metadata.Value: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Makes metadata of keys and values; of two values of one key the later one is kept. Nothing is checked until the
  /// metadata is used in a store.
  public init(dictionaryLiteral elements: (String, Metadata.Value)...) {
    self = .dictionary(Metadata(elements))
  }
}

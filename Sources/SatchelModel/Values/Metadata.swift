/// Nested dictionaries of strings, by which conversations, messages and identities are tagged and searched.
///
/// A key is one or more of `A-Z a-z 0-9 _ -`; a value is a text of at most 2 KiB or a dictionary. A key path joins keys
/// by dots: `theme.color`. Two values are equal when their texts are canonically equivalent (NFC). Entries are kept
/// in the order of their keys, so that equal metadata has one encoding.
public struct Metadata: Hashable, Sendable {
  /// A text or a dictionary.
  public enum Value: Sendable {
    /// A text of at most ``Metadata/maximumValueBytes`` UTF-8 bytes.
    case text(String)
    /// A dictionary below this key.
    case dictionary(Metadata)
  }

  /// One key and its value.
  public struct Entry: Sendable {
    /// The key.
    public let key: String
    /// Its value.
    public let value: Value
  }

  /// The most UTF-8 bytes that a text may have.
  public static let maximumValueBytes = 2048
  /// The most dictionaries that may be nested in one another.
  public static let maximumDepth = 64

  /// The entries, by ascending key.
  public private(set) var entries: [Entry]

  /// Empty metadata.
  public init() { entries = [] }

  /// The entries as given; of two with one key the later one wins.
  /// - Complexity: O(n log n); O(n) for keys that ascend.
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
    for place in order {
      let entry = Entry(key: pairs[place].0, value: pairs[place].1)
      if let last = entries.last, UTF8Order.areEqual(last.key, entry.key) { entries.removeLast() }
      entries.append(entry)
    }
    steps = count
  }

  /// True without any entry.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key of this dictionary itself.
  /// - Complexity: O(log n).
  public func value(forKey key: String) -> Value? {
    let index = insertionIndex(of: key)
    return isKey(key, at: index) ? entries[index].value : nil
  }

  /// The text at a dotted key path, or nil where there is none or a dictionary; setting nil removes it.
  public subscript(keyPath: String) -> String? {
    guard case .text(let text)? = value(at: keyPath.split(separator: ".").map(String.init)) else {
      return nil
    }
    return text
  }

  /// The value at a key path.
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

  /// Every text with its key path, by ascending path of keys.
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

  /// Sets or, with nil, removes the value of a key of this dictionary itself.
  /// - Complexity: O(n): for many keys there are ``init(_:)`` and `MetadataEdit`.
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
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)):
      UTF8Order.areEqual(left, right) || UTF8Order.areEqual(NFC.normalized(left), NFC.normalized(right))
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): UTF8Order.hash(NFC.normalized(text), into: &hasher)
    case .dictionary(let metadata): hasher.combine(metadata)
    }
  }
}

extension Metadata.Entry: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Order.areEqual(left.key, right.key) && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    UTF8Order.hash(key, into: &hasher)
    hasher.combine(value)
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Metadata.Value: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  public init(stringLiteral value: String) { self = .text(value) }

  public init(dictionaryLiteral elements: (String, Metadata.Value)...) {
    self = .dictionary(Metadata(elements))
  }
}

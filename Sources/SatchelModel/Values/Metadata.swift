/// Nested dictionaries of strings, by which conversations, messages and identities are tagged and searched.
///
/// A key is one or more of `A-Z a-z 0-9 _ -`; a value is a text of at most 2 KiB or a dictionary. A key path joins keys
/// by dots: `theme.color`. Two values are equal when their texts are canonically equivalent (NFC). Entries are kept
/// in the order of their keys, so that equal metadata has one encoding.
public struct Metadata: Hashable, Sendable {
  /// A text or a dictionary.
  public enum Value: Hashable, Sendable {
    /// A text of at most ``Metadata/maximumValueBytes`` UTF-8 bytes.
    case text(String)
    /// A dictionary below this key.
    case dictionary(Metadata)
  }

  /// One key and its value.
  public struct Entry: Hashable, Sendable {
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
  package init(_ pairs: [(String, Value)]) {
    entries = []
    for (key, value) in pairs { set(value, forKey: key) }
  }

  /// True without any entry.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key of this dictionary itself.
  /// - Complexity: O(log n).
  public func value(forKey key: String) -> Value? {
    let index = insertionIndex(of: key)
    return index < entries.count && entries[index].key == key ? entries[index].value : nil
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
  package mutating func set(_ value: Value?, forKey key: String) {
    let index = insertionIndex(of: key)
    let found = index < entries.count && entries[index].key == key
    switch (value, found) {
    case (let value?, true): entries[index] = Entry(key: key, value: value)
    case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
    case (nil, true): entries.remove(at: index)
    case (nil, false): break
    }
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

import SatchelText

/// A path of keys into metadata, from the outermost dictionary on. Paths are equal if the bytes of their keys are.
///
/// This is the one place that joins keys to the text under which a store registers a path, and that splits it again. Dots join the
/// keys; inside a key a backslash is `\\` and a dot is `\.`. So `{"a.b": 1}` has the path `a\.b`, and `{"a": {"b": 1}}` has
/// `a.b`. FORMAT.md, 5.4.
public struct MetadataPath: Sendable {
  /// The keys, the outermost one first.
  public let keys: [String]

  /// Makes a path of keys, unchecked.
  package init(_ keys: [String]) { self.keys = keys }

  /// Makes the path of a text that joins keys by dots, unchecked: no key of it has a dot. It has at most one key more than is
  /// allowed, the last of which is the rest of a path that is too long.
  package init(dotted text: String) {
    keys = text.utf8
      .split(separator: Self.dot, maxSplits: Metadata.maximumDepth, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  static let dot = UInt8(ascii: ".")
  private static let backslash = UInt8(ascii: "\\")

  /// Adds a key to the bytes of a stored path.
  package static func append(_ key: UnsafeRawBufferPointer, to path: inout [UInt8]) {
    if !path.isEmpty { path.append(dot) }
    guard key.indices.contains(where: { unsafe key[$0] == dot || key[$0] == backslash }) else {
      return unsafe path.append(contentsOf: key)
    }
    for index in key.indices {
      let byte = unsafe key[index]
      if byte == dot || byte == backslash { path.append(backslash) }
      path.append(byte)
    }
  }

  /// The bytes of the text under which a store registers the path.
  package var storedBytes: [UInt8] {
    var path: [UInt8] = []
    for key in keys {
      var key = key
      key.withUTF8 { unsafe Self.append(UnsafeRawBufferPointer($0), to: &path) }
    }
    return path
  }

  /// The text under which a store registers the path.
  package var stored: String {
    // Most paths are one key, which is its own text.
    if keys.count == 1, !keys[0].utf8.contains(where: { $0 == Self.dot || $0 == Self.backslash }) {
      return keys[0]
    }
    return String(decoding: storedBytes, as: UTF8.self)
  }

  /// Splits the text under which a store registers a path; nil if it is none: it has a lone backslash, another escape, or a key that no
  /// record has.
  package init?(stored text: String) {
    var keys: [String] = []
    var key: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        guard byte == Self.dot || byte == Self.backslash else { return nil }
        key.append(byte)
        isEscaped = false
      } else if byte == Self.backslash {
        isEscaped = true
      } else if byte == Self.dot {
        keys.append(String(decoding: key, as: UTF8.self))
        key = []
      } else {
        key.append(byte)
      }
    }
    guard !isEscaped else { return nil }
    self.init(keys + [String(decoding: key, as: UTF8.self)])
    guard fault(.stored) == nil else { return nil }
  }
}

extension MetadataPath: Hashable {
  /// Whether both have the same keys, byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.keys.elementsEqual(right.keys, by: UTF8Order.areEqual)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keys.count)
    for key in keys { UTF8Order.hash(key, into: &hasher) }
  }
}

extension MetadataPath: CustomStringConvertible {
  /// The path as the predicate language spells it: what is no name is in quotation marks, `readAt.'alice@example.org'`.
  public var description: String { keys.spelledPath }
}

extension Metadata {
  /// Sets the value at a dotted key path.
  ///
  /// Dictionaries on the path are made if they do not exist, in place of other values too.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, naming the key path; nothing has changed then.
  public mutating func set(_ value: some MetadataConvertible, at keyPath: String) throws {
    let value = value.metadataValue
    let path = try Self.path(keyPath)
    try Self.check(value, at: path)
    self = setting(value, at: path[...])
  }

  /// Removes the value at a dotted key path; does nothing if there is none. Dictionaries that become empty stay.
  /// - Throws: ``SatchelError`` `invalidKey` for a path that is not valid.
  public mutating func remove(at keyPath: String) throws {
    self = setting(nil, at: try Self.path(keyPath)[...])
  }

  /// Adds the entries of other metadata. Dictionaries under the same key are merged in the same way; any other old
  /// value under the same key is replaced by the other metadata's value.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, naming the key path; nothing has changed then.
  public mutating func merge(_ other: Metadata) throws {
    try other.validate()
    let tree = MetadataTree(self)
    tree.merge(other)
    self = tree.metadata()
  }

  /// Checks all keys and values: their form, size and depth.
  public func validate() throws { try Self.check(.dictionary(self), at: []) }

  /// Returns the metadata with a value at a path of keys, or with nil without one; nothing is checked.
  func setting(_ value: MetadataValue?, at path: ArraySlice<String>) -> Metadata {
    guard let key = path.first else { return self }
    var copy = self
    if path.count == 1 {
      copy.set(value, forKey: key)
    } else {
      var inner = Metadata()
      if case .dictionary(let existing)? = copy.value(forKey: key) {
        inner = existing
      } else if value == nil {
        return self
      }
      copy.set(.dictionary(inner.setting(value, at: path.dropFirst())), forKey: key)
    }
    return copy
  }

  /// Returns the keys of a dotted key path, unchecked: at most one key more than is allowed, the last of which is the rest
  /// of a path that is too long.
  static func keys(of keyPath: String) -> [String] {
    keyPath.utf8
      .split(separator: UInt8(ascii: "."), maxSplits: maximumDepth, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  /// Returns the keys of a dotted key path, each checked.
  package static func path(_ keyPath: String) throws -> [String] {
    let keys = keys(of: keyPath)
    guard keys.count <= maximumDepth, keys.allSatisfy(isValidKey) else {
      throw SatchelError(
        .invalidKey, "A metadata key is one or more of A-Z a-z 0-9 _ -, a key path joins at most 64 by dots",
        ["keyPath": keyPath])
    }
    return keys
  }

  package static func isValidKey(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  static func check(_ value: MetadataValue, at path: [String]) throws {
    switch value {
    case .text(let text):
      guard text.utf8.count <= maximumValueBytes else {
        throw SatchelError(
          .invalidValue, "A metadata value has at most 2048 UTF-8 bytes",
          ["keyPath": path.joined(separator: "."), "bytes": String(text.utf8.count)])
      }
    case .number(let number):
      guard number.isFinite else {
        throw SatchelError(
          .invalidValue, "A number of metadata is finite",
          ["keyPath": path.joined(separator: "."), "value": number.description])
      }
    case .integer, .boolean, .date: break
    case .dictionary(let dictionary):
      guard path.count < maximumDepth else {
        throw SatchelError(
          .invalidValue, "Metadata nests at most 64 dictionaries", ["keyPath": path.joined(separator: ".")])
      }
      for entry in dictionary.entries {
        let inner = path + [entry.key]
        guard isValidKey(entry.key) else {
          throw SatchelError(
            .invalidKey, "A metadata key is one or more of A-Z a-z 0-9 _ -",
            ["keyPath": inner.joined(separator: ".")])
        }
        try check(entry.value, at: inner)
      }
    }
  }
}

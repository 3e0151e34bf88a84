extension Metadata {
  /// Sets the value at a dotted key path.
  ///
  /// Dictionaries on the path are made if they do not exist, in place of other values too.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, naming the key path; nothing has changed then.
  public mutating func set(_ value: some MetadataConvertible, at keyPath: String) throws {
    try set(value.metadataValue, at: MetadataPath(dotted: keyPath))
  }

  /// Sets the value at a path of keys, which may have dots, like ``set(_:at:)-(_,String)``.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, naming the key path; nothing has changed then.
  public mutating func set(_ value: some MetadataConvertible, at keys: [String]) throws {
    try set(value.metadataValue, at: MetadataPath(keys))
  }

  private mutating func set(_ value: MetadataValue, at path: MetadataPath) throws {
    try path.check(.any)
    try Self.check(value, at: path.keys, .any)
    self = setting(value, at: path.keys[...])
  }

  /// Removes the value at a dotted key path; does nothing if there is none. Dictionaries that become empty stay.
  /// - Throws: ``SatchelError`` `invalidKey` for a path that is not valid.
  public mutating func remove(at keyPath: String) throws {
    try remove(at: MetadataPath(dotted: keyPath).keys)
  }

  /// Removes the value at a path of keys, which may have dots, like ``remove(at:)-(String)``.
  /// - Throws: ``SatchelError`` `invalidKey` for a path that is not valid.
  public mutating func remove(at keys: [String]) throws {
    try MetadataPath(keys).check(.stored)
    self = setting(nil, at: keys[...])
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
  public func validate() throws { try validate(.any) }

  /// Checks all keys, by a rule, and all values.
  package func validate(_ rule: KeyRule) throws { try Self.check(.dictionary(self), at: [], rule) }

  /// Returns the metadata with a value at a path of keys, or with nil without one; nothing is checked.
  package func setting(_ value: MetadataValue?, at path: ArraySlice<String>) -> Metadata {
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

  static func check(_ value: MetadataValue, at path: [String], _ rule: KeyRule) throws {
    switch value {
    case .text(let text):
      guard text.utf8.count <= maximumValueBytes else {
        throw SatchelError(
          .invalidValue, "A metadata value has at most 2048 UTF-8 bytes",
          ["keyPath": path.spelledPath, "bytes": String(text.utf8.count)])
      }
    case .number(let number):
      guard number.isFinite else {
        throw SatchelError(
          .invalidValue, "A number of metadata is finite",
          ["keyPath": path.spelledPath, "value": number.description])
      }
    case .integer, .boolean, .date: break
    case .reference(let reference):
      guard rule == .fields else {
        throw SatchelError(
          .invalidValue, "A reference is a field of a record, and no value of metadata",
          ["keyPath": path.spelledPath, "value": reference.description])
      }
      if let fault = reference.fault {
        throw SatchelError(
          .invalidValue, "A reference names a type, and an object of it",
          ["keyPath": path.spelledPath, "found": fault])
      }
      guard reference.name.utf8.count <= maximumValueBytes else {
        throw SatchelError(
          .invalidValue, "The identifier in a reference has at most 2048 UTF-8 bytes",
          ["keyPath": path.spelledPath, "bytes": String(reference.name.utf8.count)])
      }
    case .list(let texts):
      for text in texts { try check(.text(text), at: path, rule) }
      let bytes = texts.reduce(0) { $0 + $1.utf8.count }
      guard bytes <= maximumListBytes else {
        throw SatchelError(
          .invalidValue, "The texts of a list of metadata have at most 65,536 UTF-8 bytes together",
          ["keyPath": path.spelledPath, "bytes": String(bytes)])
      }
    case .dictionary(let dictionary):
      guard path.count < maximumDepth else {
        throw SatchelError(
          .invalidValue, "Metadata nests at most 64 dictionaries", ["keyPath": path.spelledPath])
      }
      for entry in dictionary.entries {
        let inner = path + [entry.key]
        if let fault = fault(entry.key, rule) { throw MetadataPath.error(inner, fault, rule) }
        try check(entry.value, at: inner, rule)
      }
    }
  }
}

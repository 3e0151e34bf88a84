extension Metadata {
  /// The most UTF-8 bytes that a key may have.
  public static let maximumKeyBytes = 256

  /// Which keys are taken.
  package enum KeyRule: Sendable, Hashable {
    /// Every text of 1 to 256 UTF-8 bytes without NUL.
    case any
    /// Only names: 1 to 256 of `A-Z a-z 0-9 _ -`.
    case names
    /// What a record may have: also longer names, which programs of formats before 11 took.
    case stored
    /// Every text, as with `any`, and values that are references: the fields of a record.
    case fields
  }

  /// Whether a byte may be in a name.
  package static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether a record may have a key, whose bytes are UTF-8. All that is read from a store is checked by this.
  package static func isStoredKey(_ key: UnsafeRawBufferPointer) -> Bool {
    if key.count > maximumKeyBytes {
      for index in key.indices where unsafe !isNameByte(key[index]) { return false }
      return true
    }
    for index in key.indices where unsafe key[index] == 0 { return false }
    return unsafe !key.isEmpty
  }

  /// Whether a record may have a key.
  package static func isStoredKey(_ key: String) -> Bool {
    var key = key
    return key.withUTF8 { unsafe isStoredKey(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a key is one or more of `A-Z a-z 0-9 _ -`. Only such keys were taken before format 11, and before version 2 of the
  /// interchange format.
  package static func isName(_ key: String) -> Bool { !key.isEmpty && key.utf8.allSatisfy(isNameByte) }

  /// Whether all keys, also those of nested dictionaries, are names.
  package var hasOnlyNames: Bool {
    entries.allSatisfy { entry in
      guard Self.isName(entry.key) else { return false }
      guard case .dictionary(let inner) = entry.value else { return true }
      return inner.hasOnlyNames
    }
  }

  /// The dictionary as it is written where a value may also be marked by its only key, as `{"$date": …}` is: an only key that begins with
  /// `$` gets one more.
  package var escapingMark: Metadata {
    guard count == 1, let entry = entries.first, entry.key.utf8.first == UInt8(ascii: "$") else {
      return self
    }
    return Metadata(ascending: [Entry(key: "$" + entry.key, value: entry.value)])
  }

  /// The dictionary that was written as `escapingMark`.
  package var unescapingMark: Metadata {
    guard count == 1, let entry = entries.first, entry.key.utf8.starts(with: "$$".utf8) else { return self }
    return Metadata(ascending: [
      Entry(key: String(Substring(entry.key.utf8.dropFirst())), value: entry.value)
    ])
  }

  /// Says what is wrong with a key; nil if nothing is.
  static func fault(_ key: String, _ rule: KeyRule) -> String? {
    let count = key.utf8.count
    if count == 0 { return "an empty key" }
    if key.utf8.contains(0) { return "a key with NUL: \([key].spelledPath)" }
    if rule == .names, !isName(key) { return "a key that is no name: \([key].spelledPath)" }
    if rule == .stored ? !isStoredKey(key) : count > maximumKeyBytes { return "a key of \(count) bytes" }
    return nil
  }
}

extension MetadataPath {
  /// What an error says of keys that are not taken.
  package static let message: StaticString =
    "A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys"
  private static let messageOfNames: StaticString =
    "A metadata key of this store is 1 to 256 of A-Z a-z 0-9 _ -, a key path has 1 to 64 keys"

  /// Says what is wrong with the path; nil if nothing is.
  package func fault(_ rule: Metadata.KeyRule) -> String? {
    if keys.isEmpty { return "no key" }
    if keys.count > Metadata.maximumDepth { return "more than 64 keys" }
    for key in keys { if let fault = Metadata.fault(key, rule) { return fault } }
    return nil
  }

  /// Checks the number of keys and each of them.
  /// - Throws: ``SatchelError`` `invalidKey`, which names the path and what is wrong with it.
  package func check(_ rule: Metadata.KeyRule) throws {
    if let fault = fault(rule) { throw Self.error(keys, fault, rule) }
  }

  static func error(_ keys: [String], _ fault: String, _ rule: Metadata.KeyRule) -> SatchelError {
    SatchelError(
      .invalidKey, rule == .names ? messageOfNames : message,
      ["keyPath": keys.spelledPath, "found": fault])
  }
}

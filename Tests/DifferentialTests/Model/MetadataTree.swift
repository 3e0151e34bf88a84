/// Metadata, or the fields of a record: a value or a dictionary of such, keyed by texts of 1 to 256 bytes without NUL.
indirect enum MetadataTree: Hashable, Sendable {
  case text(ByteString)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  /// Microseconds.
  case date(Int64)
  /// As it was given.
  case list([ByteString])
  /// In fields of records alone.
  case reference(ModelReference)
  case dictionary([ByteString: MetadataTree])

  static let empty = MetadataTree.dictionary([:])

  /// What stands at a key path; nil if nothing does.
  subscript(path: ArraySlice<ByteString>) -> MetadataTree? {
    guard let key = path.first else { return self }
    guard case .dictionary(let children) = self, let child = children[key] else { return nil }
    return child[path.dropFirst()]
  }

  /// With every string in NFC, every number that is a whole one within 64 bits as an integer, the texts of a list in order and
  /// each once, and an empty list as an empty dictionary: how metadata compares.
  var composed: MetadataTree {
    switch self {
    case .text(let text): .text(text.composed)
    case .number(let number): Int64(exactly: number).map { .integer($0) } ?? self
    case .integer, .boolean, .date, .reference: self
    case .list([]): .empty
    case .list(let texts): .list(Set(texts.map(\.composed)).sorted())
    case .dictionary(let children): .dictionary(children.mapValues(\.composed))
    }
  }

  /// Sets the value at a key path. What stands in the way, a value where a dictionary is needed, is replaced.
  mutating func set(_ value: MetadataTree, at path: ArraySlice<ByteString>) {
    guard let key = path.first else {
      self = value
      return
    }
    var children: [ByteString: MetadataTree] = [:]
    if case .dictionary(let present) = self { children = present }
    var child = children[key] ?? .empty
    child.set(value, at: path.dropFirst())
    children[key] = child
    self = .dictionary(children)
  }

  /// Removes what stands at a key path, if anything does; the dictionaries on the way stay.
  mutating func remove(at path: ArraySlice<ByteString>) {
    guard let key = path.first, case .dictionary(var children) = self else { return }
    if path.count == 1 {
      children[key] = nil
    } else {
      children[key]?.remove(at: path.dropFirst())
    }
    self = .dictionary(children)
  }

  /// Every key path that ends at a value, and every one that ends at a dictionary, in byte order.
  func paths(under prefix: [ByteString] = []) -> [(path: [ByteString], isValue: Bool)] {
    guard case .dictionary(let children) = self else { return [(prefix, true)] }
    let below = children.sorted { $0.key < $1.key }.flatMap { $0.value.paths(under: prefix + [$0.key]) }
    return prefix.isEmpty ? below : [(prefix, false)] + below
  }

  static func isKey(_ key: ByteString) -> Bool {
    (1...256).contains(key.utf8.count) && !key.utf8.contains(0)
  }

  /// Whether a key needs no quotation marks where key paths are written as text.
  static func isName(_ key: ByteString) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
      }
  }
}

package import SatchelText

/// Metadata while it is edited. Each dictionary that an edit passes through is a hash table, which is sorted once, at
/// the end: the cost of an edit depends neither on the number of edits nor on the size of the metadata.
package final class MetadataTree {
  private enum Node {
    /// A value that no edit has passed through.
    case kept(MetadataValue)
    case dictionary(MetadataTree)
  }

  private var nodes: [ByteString: Node] = [:]

  package init(_ metadata: Metadata) {
    nodes.reserveCapacity(metadata.count)
    for entry in metadata.entries { nodes[ByteString(entry.key)] = .kept(entry.value) }
  }

  /// Returns the dictionary under a key. If there is none, makes one with `isMade`, in place of another value too; otherwise
  /// returns nil.
  private func dictionary(at key: String, isMade: Bool) -> MetadataTree? {
    var inner: MetadataTree?
    switch nodes[ByteString(key)] {
    case .dictionary(let tree)?: return tree
    case .kept(.dictionary(let metadata))?: inner = MetadataTree(metadata)
    case .kept?, nil: inner = isMade ? MetadataTree(Metadata()) : nil
    }
    if let inner { nodes[ByteString(key)] = .dictionary(inner) }
    return inner
  }

  /// Applies a step that has been checked. Returns whether a byte of the metadata differs now.
  /// - Complexity: O(bytes of the step and of what it replaces).
  package func apply(_ edit: MetadataEdit) -> Bool {
    switch edit {
    case .set(let value, let path): set(value, at: path.keys)
    case .remove(let path): remove(at: path.keys)
    case .merge(let other): merge(other)
    case .replace(let other): replace(with: other)
    }
  }

  /// Sets the value at a path of at least one key. Makes the dictionaries on the path, in place of other values too.
  private func set(_ value: MetadataValue, at path: [String]) -> Bool {
    guard let key = path.last else { return false }
    var tree = self
    for name in path.dropLast() {
      guard let inner = tree.dictionary(at: name, isMade: true) else { return false }
      tree = inner
    }
    return tree.put(value, at: ByteString(key))
  }

  /// Removes the value at a path, if there is one.
  private func remove(at path: [String]) -> Bool {
    guard let key = path.last else { return false }
    var tree = self
    for name in path.dropLast() {
      guard let inner = tree.dictionary(at: name, isMade: false) else { return false }
      tree = inner
    }
    return tree.nodes.removeValue(forKey: ByteString(key)) != nil
  }

  /// Adds the entries of other metadata, merging dictionaries under the same key.
  @discardableResult
  func merge(_ other: Metadata) -> Bool {
    var isChanged = false
    for entry in other.entries {
      if case .dictionary(let new) = entry.value, let inner = dictionary(at: entry.key, isMade: false) {
        if inner.merge(new) { isChanged = true }
      } else if put(entry.value, at: ByteString(entry.key)) {
        isChanged = true
      }
    }
    return isChanged
  }

  private func replace(with other: Metadata) -> Bool {
    let isChanged = !Self.isSame(.dictionary(self), .dictionary(other))
    if isChanged { nodes = MetadataTree(other).nodes }
    return isChanged
  }

  private func put(_ value: MetadataValue, at key: ByteString) -> Bool {
    if let old = nodes[key], Self.isSame(old, value) { return false }
    nodes[key] = .kept(value)
    return true
  }

  /// Whether a node and a value are the same bytes.
  private static func isSame(_ node: Node, _ value: MetadataValue) -> Bool {
    switch (node, value) {
    case (.kept(let old), _): old.hasSameBytes(as: value)
    case (.dictionary(let tree), .dictionary(let metadata)):
      tree.nodes.count == metadata.count
        && metadata.entries.allSatisfy { entry in
          tree.nodes[ByteString(entry.key)].map { isSame($0, entry.value) } ?? false
        }
    case (.dictionary, _): false
    }
  }

  /// Returns the metadata with all edits so far.
  /// - Complexity: O(n log n) in the entries of the dictionaries that edits have passed through.
  package func metadata() -> Metadata {
    var steps = NoStepCount()
    return metadata(counting: &steps)
  }

  package func metadata(counting steps: inout some StepCount) -> Metadata {
    steps.add(nodes.count)
    var pairs: [(String, MetadataValue)] = []
    pairs.reserveCapacity(nodes.count)
    for (key, node) in nodes {
      switch node {
      case .kept(let value): pairs.append((key.string, value))
      case .dictionary(let tree): pairs.append((key.string, .dictionary(tree.metadata(counting: &steps))))
      }
    }
    return Metadata(pairs, counting: &steps)
  }
}

/// A step in editing metadata. Steps are applied in order.
package enum MetadataEdit: Sendable, Hashable {
  case set(MetadataValue, at: MetadataPath)
  case remove(at: MetadataPath)
  case merge(Metadata)
  case replace(Metadata)

  /// Checks everything in a step that does not depend on what it is applied to.
  /// - Parameter rule: Which keys are written. What is there may be removed by any key that a record may have.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, naming the key path.
  package func validate(_ rule: Metadata.KeyRule) throws {
    switch self {
    case .set(let value, let path):
      try path.check(rule)
      try Metadata.check(value, at: path.keys, rule)
    case .remove(let path): try path.check(.stored)
    case .merge(let other), .replace(let other): try other.validate(rule)
    }
  }
}

extension Metadata {
  /// Whether both are the same bytes. `==` is not enough: it holds for texts that are equal in NFC and for numbers that are
  /// spelled differently, and a record returns what it was given.
  package func hasSameBytes(as other: Metadata) -> Bool {
    if let bytes, let others = other.bytes { return bytes == others }
    return entries.elementsEqual(other.entries) { left, right in
      UTF8Order.areEqual(left.key, right.key) && left.value.hasSameBytes(as: right.value)
    }
  }
}

extension MetadataValue {
  /// Whether both are the same bytes: the same type, and the same spelling.
  package func hasSameBytes(as other: MetadataValue) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
    case (.dictionary(let left), .dictionary(let right)): left.hasSameBytes(as: right)
    case (.reference(let left), .reference(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { UTF8Order.areEqual($0, $1) }
    default:
      if let left = MetadataScalar(self), let right = MetadataScalar(other) { left == right } else { false }
    }
  }
}

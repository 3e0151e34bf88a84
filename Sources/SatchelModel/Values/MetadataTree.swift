/// Metadata while it is edited: each dictionary that an edit goes through is a table of its keys, and is put in order once,
/// at the end. So many edits cost no more than each alone.
final class MetadataTree {
  private enum Node {
    /// What no edit has gone through.
    case kept(Metadata.Value)
    case dictionary(MetadataTree)
  }

  private var nodes: [ByteString: Node] = [:]

  init(_ metadata: Metadata) {
    nodes.reserveCapacity(metadata.entries.count)
    for entry in metadata.entries { nodes[ByteString(entry.key)] = .kept(entry.value) }
  }

  /// The dictionary of a key; with `isMade` one is put in the place of what is there instead.
  private func dictionary(at key: String, isMade: Bool) -> MetadataTree? {
    var inner: MetadataTree?
    switch nodes[ByteString(key)] {
    case .dictionary(let tree)?: return tree
    case .kept(.dictionary(let metadata))?: inner = MetadataTree(metadata)
    case .kept(.text)?, nil: inner = isMade ? MetadataTree(Metadata()) : nil
    }
    if let inner { nodes[ByteString(key)] = .dictionary(inner) }
    return inner
  }

  /// Sets the value at a path of one key at least; dictionaries on the way are made, in place of texts too.
  func set(_ value: Metadata.Value, at path: [String]) {
    guard let key = path.last else { return }
    var tree = self
    for name in path.dropLast() {
      guard let inner = tree.dictionary(at: name, isMade: true) else { return }
      tree = inner
    }
    tree.nodes[ByteString(key)] = .kept(value)
  }

  /// Removes what is at a path, if there is something.
  func remove(at path: [String]) {
    guard let key = path.last else { return }
    var tree = self
    for name in path.dropLast() {
      guard let inner = tree.dictionary(at: name, isMade: false) else { return }
      tree = inner
    }
    tree.nodes[ByteString(key)] = nil
  }

  /// Adds the entries of other metadata, dictionary by dictionary.
  func merge(_ other: Metadata) {
    for entry in other.entries {
      if case .dictionary(let new) = entry.value, let inner = dictionary(at: entry.key, isMade: false) {
        inner.merge(new)
      } else {
        nodes[ByteString(entry.key)] = .kept(entry.value)
      }
    }
  }

  /// The metadata as it is now.
  func metadata(counting steps: inout some StepCount) -> Metadata {
    steps.add(nodes.count)
    var pairs: [(String, Metadata.Value)] = []
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

/// A step in editing metadata; steps are taken in order.
package enum MetadataEdit: Sendable, Hashable {
  case set(Metadata.Value, at: String)
  case remove(at: String)
  case merge(Metadata)
  case replace(Metadata)

  /// The metadata after some steps.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue`, naming the key path.
  /// - Complexity: O(n log n) for the metadata and all edits together.
  package static func apply(_ edits: [MetadataEdit], to metadata: Metadata) throws -> Metadata {
    var steps = NoStepCount()
    return try apply(edits, to: metadata, counting: &steps)
  }

  package static func apply(
    _ edits: [MetadataEdit], to metadata: Metadata, counting steps: inout some StepCount
  ) throws -> Metadata {
    guard !edits.isEmpty else { return metadata }
    var tree = MetadataTree(metadata)
    for edit in edits {
      steps.add(1)
      switch edit {
      case .set(let value, let keyPath):
        let path = try Metadata.path(keyPath)
        try Metadata.check(value, at: path)
        tree.set(value, at: path)
      case .remove(let keyPath): tree.remove(at: try Metadata.path(keyPath))
      case .merge(let other):
        try other.validate()
        tree.merge(other)
      case .replace(let other): tree = MetadataTree(other)
      }
    }
    let result = tree.metadata(counting: &steps)
    try result.validate()
    return result
  }
}

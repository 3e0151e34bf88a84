/// Metadata while it is edited. Each dictionary that an edit passes through is a hash table, which is sorted once, at
/// the end: the cost of an edit does not depend on the number of edits.
final class MetadataTree {
  private enum Node {
    /// A value that no edit has passed through.
    case kept(Metadata.Value)
    case dictionary(MetadataTree)
  }

  private var nodes: [ByteString: Node] = [:]

  init(_ metadata: Metadata) {
    nodes.reserveCapacity(metadata.entries.count)
    for entry in metadata.entries { nodes[ByteString(entry.key)] = .kept(entry.value) }
  }

  /// Returns the dictionary under a key. If there is none, makes one with `isMade`, in place of a text too; otherwise
  /// returns nil.
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

  /// Sets the value at a path of at least one key. Makes the dictionaries on the path, in place of texts too.
  func set(_ value: Metadata.Value, at path: [String]) {
    guard let key = path.last else { return }
    var tree = self
    for name in path.dropLast() {
      guard let inner = tree.dictionary(at: name, isMade: true) else { return }
      tree = inner
    }
    tree.nodes[ByteString(key)] = .kept(value)
  }

  /// Removes the value at a path, if there is one.
  func remove(at path: [String]) {
    guard let key = path.last else { return }
    var tree = self
    for name in path.dropLast() {
      guard let inner = tree.dictionary(at: name, isMade: false) else { return }
      tree = inner
    }
    tree.nodes[ByteString(key)] = nil
  }

  /// Adds the entries of other metadata, merging dictionaries under the same key.
  func merge(_ other: Metadata) {
    for entry in other.entries {
      if case .dictionary(let new) = entry.value, let inner = dictionary(at: entry.key, isMade: false) {
        inner.merge(new)
      } else {
        nodes[ByteString(entry.key)] = .kept(entry.value)
      }
    }
  }

  /// Returns the metadata with all edits so far.
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

/// A step in editing metadata. Steps are applied in order.
package enum MetadataEdit: Sendable, Hashable {
  case set(Metadata.Value, at: String)
  case remove(at: String)
  case merge(Metadata)
  case replace(Metadata)

  /// Returns metadata after some steps.
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

import LMDB
import RankedIndex
import SatchelBytes
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file with a tree whose root is whatever bytes are given: the way that a read takes through a damaged node.
///
/// Below the root, where it is an inner node, lie sound leaves. Nothing that is done to the tree is committed.
final class NodeScene: Sendable {
  static let rootNumber: UInt64 = 1
  static let leafNumber: UInt64 = 1 << 48
  /// The commit that the nodes are of.
  static let sequence: UInt64 = 1

  let path: String
  private let environment: Environment
  private let sound: Directory
  /// One use at a time.
  private let turn = Mutex(())

  /// - Parameter fill: Puts the entries into the sound tree.
  init(fill: (Forest) throws -> Void) throws {
    path = FileManager.default.temporaryDirectory.path + "/fuzz-\(UInt64.random(in: 0 ... .max))"
    environment = try Environment.open(
      directory: path,
      options: Environment.Options(
        databases: ["nodes", "texts"], create: true, durability: .temporaryImport, initialMapSize: 1 << 30))
    let directory = try environment.write { [environment] transaction in
      let forest = try Forest(
        writing: transaction, nodes: environment.database("nodes"), overflow: environment.database("texts"),
        directory: Forest.emptyDirectory, cache: NodeCache(capacity: 64))
      try fill(forest)
      try forest.flush()
      return forest.encodeDirectory()
    }
    sound = try Directory(directory)
  }

  deinit {
    environment.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The nodes and continuations of the sound tree: what a corpus begins with.
  func nodes() throws -> [NodeDescription] {
    var nodes: [NodeDescription] = []
    try environment.read { transaction in
      let forest = try Forest(
        reading: transaction, nodes: environment.database("nodes"), overflow: environment.database("texts"),
        directory: sound, cache: NodeCache(capacity: 64))
      try forest.forEachNode { nodes.append($0) }
    }
    return nodes
  }

  /// Calls `body` with the trees of a file in which `node` has taken the place of the root.
  /// - Parameter isLeaf: Whether the node is a leaf, and the tree this leaf alone.
  /// - Returns: What `body` returns.
  func withRoot(
    _ node: [UInt8], isLeaf: Bool, entries: UInt64, _ body: (Forest) throws -> Bool
  ) throws -> Bool {
    struct Done: Error {}
    var result = false
    var directory = sound
    directory.trees = directory.trees.map { tree in
      DirectoryEntry(
        id: tree.id, kind: tree.kind, height: isLeaf ? 1 : 2,
        root: isLeaf ? Self.leafNumber : Self.rootNumber,
        count: entries, innerNodes: isLeaf ? 0 : 1, leafNodes: isLeaf ? 1 : tree.leafNodes)
    }
    try turn.withLock { _ in
      do {
        try environment.write { transaction in
          let nodes = try environment.database("nodes")
          try node.withUnsafeBytes {
            try transaction.put(nodes, number: isLeaf ? Self.leafNumber : Self.rootNumber, $0)
          }
          let forest = try Forest(
            writing: transaction, nodes: nodes, overflow: environment.database("texts"),
            directory: directory.encode(), cache: NodeCache(capacity: 64))
          result = try body(forest)
          // Given up: the next input begins with the sound file.
          throw Done()
        }
      } catch is Done {
      }
    }
    return result
  }
}

/// The input of a target of nodes: whether the node is a leaf, how many entries its header says that it has (4 bytes),
/// and the node's bytes behind the header, which is made to fit them.
struct NodeInput {
  let isLeaf: Bool
  let entries: UInt64
  let node: [UInt8]
  /// What is done to the tree besides its verification: everything would take each input four times as long.
  let trial: Trial

  /// One of the ways to use a tree. It follows from the input, so that each input always has the same.
  enum Trial: UInt64 {
    case walks
    case ranks
    case changes
    case description
  }

  static let headerBytes = 32
  static let maximumBytes = 4080

  init?(_ bytes: UnsafeRawBufferPointer, tree: UInt16, kind: UInt8) {
    // A directory that has a tree without entries is refused: that is another target's.
    guard bytes.count >= 5, bytes[1...4].contains(where: { $0 != 0 }) else { return nil }
    let isLeaf = bytes[0] & 1 == 0
    let entries = UInt64(bytes[1]) | UInt64(bytes[2]) << 8 | UInt64(bytes[3]) << 16 | UInt64(bytes[4]) << 24
    var node = [UInt8](repeating: 0, count: Self.headerBytes)
    node += bytes.dropFirst(5).prefix(Self.maximumBytes - Self.headerBytes)
    guard node.count >= Self.headerBytes + 16 else { return nil }
    self.init(isLeaf: isLeaf, entries: entries, node: node, tree: tree, kind: kind)
  }

  private init(isLeaf: Bool, entries: UInt64, node: [UInt8], tree: UInt16, kind: UInt8) {
    self.isLeaf = isLeaf
    self.entries = entries
    var node = node
    node.set(UInt64(tree) | (isLeaf ? 0 : 1) << 16 | UInt64(kind) << 24 | entries << 32, at: 0)
    node.set(isLeaf ? NodeScene.leafNumber : NodeScene.rootNumber, at: 8)
    node.set(NodeScene.sequence, at: 16)
    let checksum = Self.checksum(node.span.bytes)
    node.set(checksum, at: 24)
    self.node = node
    trial = Trial(rawValue: checksum & 3) ?? .walks
  }

  private static func checksum(_ node: RawSpan) -> UInt64 {
    let head = Checksum.hash(node.extracting(0..<24))
    return Checksum.hash(node.extracting(headerBytes..<node.byteCount), seed: head)
  }

  /// The input that a node of a file corresponds to.
  static func bytes(of node: NodeDescription) -> [UInt8] {
    [node.level == 0 ? 0 : 1] + (0..<4).map { UInt8(truncatingIfNeeded: node.entries >> (8 * $0)) }
      + node.bytes.dropFirst(headerBytes)
  }
}

/// What a use of a tree fails with; nil where it does not.
func fault(_ body: () throws(IndexError) -> Void) -> IndexError? {
  do { try body() } catch { return error }
  return nil
}

/// Throws a fault that a tree without faults has met.
func expectNone(_ fault: IndexError?) throws(FuzzTarget.Violation) {
  if let fault { throw FuzzTarget.Violation("a tree that verifies is refused by a read: \(fault)") }
}

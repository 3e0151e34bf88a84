import Foundation
import LMDB
import RankedIndex
import RankedKeys
import Testing

/// A file with ranked indexes in a directory of its own, which goes with it.
final class TextTreeFixture {
  let path: String
  private(set) var environment: Environment
  private(set) var cache = NodeCache()
  var directory = Forest.emptyDirectory

  private static let options = Environment.Options(
    databases: ["nodes", "overflow"], create: true, durability: .temporaryImport, initialMapSize: 1 << 32)

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("texttree-\(UUID().uuidString)").path
    environment = try Environment.open(directory: path, options: Self.options)
  }

  deinit {
    environment.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  func reopen() throws {
    environment.close()
    environment = try Environment.open(directory: path, options: Self.options)
    cache = NodeCache()
  }

  func nodes() throws -> Database { try environment.database("nodes") }
  func overflow() throws -> Database { try environment.database("overflow") }

  /// Commits what is pending and what `body` does; nothing if it throws.
  @discardableResult
  func write<R>(over pending: PendingForest? = nil, _ body: (Forest) throws -> R) throws -> R {
    let nodes = try nodes()
    let overflow = try overflow()
    let old = directory
    let (result, new) = try environment.write { transaction in
      let forest = try Forest(
        writing: transaction, nodes: nodes, overflow: overflow, directory: old, pending: pending, cache: cache
      )
      let result = try body(forest)
      try forest.flush()
      return (result, forest.encodeDirectory())
    }
    directory = new
    return result
  }

  @discardableResult
  func read<R>(over pending: PendingForest? = nil, _ body: (Forest) throws -> R) throws -> R {
    let nodes = try nodes()
    let overflow = try overflow()
    return try environment.read { transaction in
      try body(
        Forest(
          reading: transaction, nodes: nodes, overflow: overflow, directory: directory, pending: pending,
          cache: cache))
    }
  }
}

extension Forest {
  /// Verifies a tree and returns what it consists of.
  @discardableResult
  func expectSound(_ tree: TextTreeSchema) throws -> TreeStatistics {
    var keys = 0
    let found = try verify(tree, report: { Issue.record($0) }, entry: { _ in keys += 1 })
    #expect(keys == found.entries)
    #expect(try statistics(tree) == found)
    return found
  }
}

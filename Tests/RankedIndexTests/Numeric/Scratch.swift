import LMDB
import RankedIndex

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of trees in a directory of its own, with its directory bytes kept beside it.
final class Scratch {
  let path: String
  private(set) var environment: Environment
  private(set) var cache = NodeCache()
  var directory = Forest.emptyDirectory

  private static let options = Environment.Options(
    databases: ["nodes", "overflow"], create: true, durability: .temporaryImport)

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/ranked-\(UInt64.random(in: 0 ... .max))"
    environment = try Environment.open(directory: path, options: Self.options)
  }

  deinit {
    environment.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  func nodes() throws -> Database { try environment.database("nodes") }

  /// Opens the file as a new process would.
  func reopen() throws {
    environment.close()
    environment = try Environment.open(directory: path, options: Self.options)
    cache = NodeCache()
  }

  func forgetVerifiedNodes() { cache = NodeCache() }

  func read<R>(over pending: PendingForest? = nil, _ body: (Forest) throws -> R) throws -> R {
    try environment.read { transaction in
      try body(
        Forest(
          reading: transaction, nodes: try nodes(), overflow: try environment.database("overflow"),
          directory: directory, pending: pending, cache: cache))
    }
  }

  /// Commits what is pending and what `body` changes, unless it throws.
  func write<R>(over pending: PendingForest? = nil, _ body: (Forest) throws -> R) throws -> R {
    let (result, bytes) = try environment.write { transaction in
      let forest = try Forest(
        writing: transaction, nodes: try nodes(), overflow: try environment.database("overflow"),
        directory: directory, pending: pending, cache: cache)
      let result = try body(forest)
      try forest.flush()
      return (result, forest.encodeDirectory())
    }
    directory = bytes
    return result
  }

  /// Changes the stored bytes of a node behind the trees' back.
  func damage(_ number: UInt64, _ change: (inout [UInt8]?) -> Void) throws {
    try environment.write { transaction in
      var bytes = try transaction.get(try nodes(), number: number).map { [UInt8]($0) }
      change(&bytes)
      if let bytes {
        try bytes.withUnsafeBytes { try transaction.put(try nodes(), number: number, $0) }
      } else {
        _ = try transaction.delete(try nodes(), number: number)
      }
    }
  }
}

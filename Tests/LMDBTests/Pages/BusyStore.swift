import LMDB
import LMDBPages
import LMDBScenes
import TestSupport

/// A store as an application leaves it: short records in key order, records of a whole page each, and others; changed,
/// deleted and replaced in many commits, so that its free list is as busy as its trees.
struct BusyStore {
  static let databases = ["messages", "nodes", "objects"]
  let environment: Environment
  let messages: Database
  let nodes: Database
  let objects: Database

  init(
    _ scratch: Scratch, create: Bool = true, _ change: (inout Environment.Options) -> Void = { _ in }
  ) throws {
    var options = Environment.Options(databases: Self.databases, create: create)
    options.initialMapSize = 1 << 30
    change(&options)
    environment = try Environment.open(directory: scratch.store, options: options)
    messages = try environment.database("messages")
    nodes = try environment.database("nodes")
    objects = try environment.database("objects")
  }

  /// The files of a store with so many messages, closed after some changes.
  static func image(messages: Int, seed: UInt64) throws -> StoreImage {
    let scratch = Scratch()
    let store = try BusyStore(scratch)
    try store.fill(messages)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<6 { try store.change(&random, 20, among: messages) }
    store.close()
    return StoreImage(scratch)
  }

  var all: [Database] { [messages, nodes, objects] }

  /// A message's key: eight bytes of a conversation, four of a position.
  static func key(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number / 64).bigEndian, Array.init)
      + withUnsafeBytes(of: UInt32(number % 64).bigEndian, Array.init)
  }

  /// A value that can be told from any other, of so many bytes.
  static func value(_ number: Int, count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(number))
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += withUnsafeBytes(of: random.next(), Array.init) }
    return Array(bytes.prefix(count))
  }

  /// So many messages, and nodes and objects in proportion, in small commits.
  func fill(_ count: Int, from first: Int = 0, perCommit: Int = 100) throws {
    for start in stride(from: first, to: first + count, by: perCommit) {
      try environment.write { transaction in
        for number in start..<min(start + perCommit, first + count) {
          try transaction.put(messages, Self.key(number), Self.value(number, count: 60 + number % 190))
          if number % 16 == 0 {
            try transaction.put(
              nodes, Array(withUnsafeBytes(of: UInt64(number / 16).bigEndian, Array.init)),
              Self.value(number, count: 4080))
          }
          if number % 7 == 0 {
            try transaction.put(
              objects, Array("object \(number)".utf8), Self.value(number, count: number % 3000))
          }
        }
        // Nodes that every commit replaces.
        for node in 0..<4 {
          let number = UInt64(node * 3)
          try transaction.put(
            nodes, withUnsafeBytes(of: number.bigEndian, Array.init), Self.value(start, count: 4080))
        }
      }
    }
  }

  /// A few changes and removals here and there.
  func change(_ random: inout SeededGenerator, _ changes: Int, among count: Int) throws {
    try environment.write { transaction in
      for _ in 0..<changes {
        let number = Int.random(in: 0..<count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try Self.key(number).withUnsafeBytes { try transaction.delete(messages, $0) }
        case 1: _ = try transaction.delete(nodes, number: UInt64(number / 16))
        case 2: _ = try transaction.delete(objects, "object \(number / 7 * 7)")
        case 3:
          try transaction.put(
            nodes, withUnsafeBytes(of: UInt64(number / 16).bigEndian, Array.init),
            Self.value(number, count: 4080))
        case 4:
          try transaction.put(
            objects, Array("object \(number)".utf8),
            Self.value(number, count: Int.random(in: 0..<12_000, using: &random)))
        default:
          try transaction.put(messages, Self.key(number), Self.value(number, count: 60 + number % 190))
        }
      }
    }
  }

  /// Messages, in the order of their keys.
  func countMessages() throws -> Int {
    try environment.read { transaction in
      var cursor = try transaction.cursor(messages)
      var count = 0
      while try cursor.next() != nil { count += 1 }
      return count
    }
  }

  func audit() throws -> PageReport { try environment.read { try $0.auditPages() } }

  func close() { environment.close() }
}

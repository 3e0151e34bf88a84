import LMDB
import LMDBScenes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stores whose files grow past sizes at which other engines have failed.
@Suite struct LargeFileTests {
  /// The file is a hole up to a little before the size, so that it takes no room: its meta pages say that as much was used.
  @Test(arguments: [1 << 30, 1 << 31, 1 << 32, 1 << 33]) func aStoreCrossesASize(_ size: Int) throws {
    let scratch = Scratch()
    let (maker, rows) = try makeStore(scratch)
    for number in 0..<4 { try maker.write { try $0.put(rows, "begin \(number)", "\(number)") } }
    let pageSize = try maker.info.pageSize
    maker.close()
    try lengthen(scratch.data, to: size - 8 * pageSize, pageSize)

    func value(_ number: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 7 == 0 ? 30_000 : 900 + number)
    }
    var options = Environment.Options(databases: ["t"])
    // The pages of the hole are in no tree.
    options.pageChecks.isOn = false
    var expected: [Int] = []
    for round in 0..<3 {
      let environment = try Environment.open(directory: scratch.store, options: options)
      defer { environment.close() }
      let table = try environment.database("t")
      for number in round * 20..<round * 20 + 20 {
        try environment.write { transaction in
          try transaction.put(table, Array("row \(number)".utf8), value(number))
          if number % 3 == 2 {
            _ = try Array("row \(number - 1)".utf8).withUnsafeBytes { try transaction.delete(table, $0) }
          }
        }
        expected.append(number)
        if number % 3 == 2 { expected.removeAll { $0 == number - 1 } }
      }
      try environment.read { transaction in
        for number in 0..<4 { #expect(try transaction.get(table, "begin \(number)") == "\(number)") }
        for number in 0..<round * 20 + 20 {
          let found = try Array("row \(number)".utf8).withUnsafeBytes { key in
            try transaction.get(table, key).map { Array($0) }
          }
          #expect(found == (expected.contains(number) ? value(number) : nil))
        }
      }
      let info = try environment.info
      #expect(Int(info.lastPage) * info.pageSize > size)
    }
  }

  /// Makes the file longer, by a hole, and has both meta pages say that it was used up to there.
  private func lengthen(_ path: String, to size: Int, _ pageSize: Int) throws {
    let file = open(path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    var last = UInt64(size / pageSize - 1)
    for meta in 0..<2 { try #require(pwrite(file, &last, 8, off_t(meta * pageSize + 136)) == 8) }
    try #require(ftruncate(file, off_t(size)) == 0)
  }
}

import LMDB
import LMDBScenes
import Testing

#if os(Linux)
  import Foundation

  /// Whether the system reads the neighbours of a page: what it says of the map of a file.
  @Suite struct ReadAheadTests {
    /// The flags of the map: "rr" stands for pages that are read alone.
    private func readsAlone(_ path: String) throws -> Bool {
      // To the end: the file has no size that would say where that is.
      let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
      let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      var isMap = false
      for line in text.split(separator: "\n") {
        if line.contains("-") && line.hasSuffix("/data.mdb") {
          isMap = line.hasSuffix(path + "/data.mdb")
        } else if isMap, line.hasPrefix("VmFlags:") {
          return line.split(separator: " ").contains("rr")
        }
      }
      throw NotMapped()
    }

    private struct NotMapped: Error {}

    @Test func neighboursAreReadWhileSomebodyReadsMuch() throws {
      let scratch = Scratch()
      let environment = try Environment.open(
        directory: scratch.path, options: Environment.Options(databases: ["numbers"], create: true))
      defer { environment.close() }
      let numbers = try environment.database("numbers")
      try environment.write { transaction in
        for number in 0..<2000 as Range<UInt64> {
          try withUnsafeBytes(of: number) { try transaction.put(numbers, number: number, $0) }
        }
      }
      #expect(try readsAlone(scratch.path))
      try environment.read { transaction in
        for number in 0..<255 as Range<UInt64> { _ = try transaction.get(numbers, number: number) }
        #expect(try readsAlone(scratch.path))
        _ = try transaction.get(numbers, number: 1)
        #expect(try !readsAlone(scratch.path))
      }
      #expect(try readsAlone(scratch.path))
      // A cursor counts as well, and the last reader of many decides.
      try environment.read { transaction in
        var cursor = try transaction.cursor(numbers)
        while try cursor.next() != nil {}
        // One that reads little comes and goes meanwhile.
        try Worker { try environment.read { _ = try $0.get(numbers, number: 1) } }.value()
        #expect(try !readsAlone(scratch.path))
      }
      #expect(try readsAlone(scratch.path))
    }

    @Test func writesCountToo() throws {
      let scratch = Scratch()
      let environment = try Environment.open(
        directory: scratch.path, options: Environment.Options(databases: ["numbers"], create: true))
      defer { environment.close() }
      let numbers = try environment.database("numbers")
      // Where the map is, is known from the first value that was read.
      try environment.write { transaction in
        try withUnsafeBytes(of: 7) { try transaction.put(numbers, number: 7, $0) }
      }
      try environment.read { _ = try $0.get(numbers, number: 7) }
      #expect(try readsAlone(scratch.path))
      try environment.write { transaction in
        for number in 0..<2000 as Range<UInt64> {
          try withUnsafeBytes(of: number) { try transaction.put(numbers, number: number, $0) }
          _ = try transaction.get(numbers, number: number)
        }
        #expect(try !readsAlone(scratch.path))
      }
      #expect(try readsAlone(scratch.path))
    }
  }
#endif

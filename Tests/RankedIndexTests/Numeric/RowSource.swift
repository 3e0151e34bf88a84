import RankedKeys
import TestSupport

/// A kind of keys to test with: a schema and where its rows come from.
struct RowSource: CustomStringConvertible, Sendable {
  let tree: TreeSchema
  /// A row from a random generator and a serial number that never repeats.
  let make: @Sendable (inout SeededGenerator, UInt64) -> Words

  var description: String { tree.name }

  static let all: [RowSource] = [
    RowSource(tree: TreeSchema(id: 1, name: "one small column", keyColumns: 1)) { random, _ in
      Words(random.next() % 200_000)
    },
    RowSource(tree: TreeSchema(id: 2, name: "monotone", keyColumns: 1, payloadColumns: 1)) { random, serial in
      Words(1_700_000_000_000_000 + serial * 1_000, random.next() % 300)
    },
    RowSource(tree: TreeSchema(id: 3, name: "conversation, position, seq", keyColumns: 3, payloadColumns: 2))
    {
      random, serial in
      let conversation = min(random.next() % 64, random.next() % 64)
      return Words(conversation, serial / 3, serial, random.next() % 40, random.next() % 16)
    },
    RowSource(tree: TreeSchema(id: 4, name: "presence, date, seq", keyColumns: 3, payloadColumns: 1)) {
      random, serial in
      let isPresent = random.next() % 10 != 0
      let date = (1 << 63) + 1_600_000_000_000_000 + random.next() % 100_000_000_000_000
      return Words(isPresent ? 1 : 0, isPresent ? date : 0, serial, random.next() % 1_000)
    },
    RowSource(tree: TreeSchema(id: 5, name: "wide random", keyColumns: 3, payloadColumns: 2)) { random, _ in
      Words(random.next(), random.next(), random.next(), random.next(), random.next() % 3)
    },
    RowSource(tree: TreeSchema(id: 6, name: "two random", keyColumns: 2)) { random, _ in
      Words(random.next() % 50, random.next())
    },
    RowSource(tree: TreeSchema(id: 7, name: "six columns", keyColumns: 6, payloadColumns: 2)) {
      random, serial in
      Words(
        random.next() % 3, random.next() % 3, random.next() % 300, random.next() % 2 == 0 ? .max : 0,
        random.next() % 70_000, serial, serial, random.next() % 2)
    },
    RowSource(tree: TreeSchema(id: 8, name: "extremes", keyColumns: 2, payloadColumns: 1)) { random, _ in
      func extreme() -> UInt64 {
        let small = random.next() % 300
        return random.next() % 2 == 0 ? small : UInt64.max - small
      }
      return Words(extreme(), extreme(), extreme())
    },
  ]
}

import RankedIndex
import RankedKeys
import Testing

/// A cursor of a write that has flushed its tree after the cursor's seek.
@Suite struct StaleCursorTests {
  /// A skip looks up the ranks of pending rows, which the tree does not have any more: another write of the transaction
  /// may still have these rows.
  @Test func aSkipAfterAFlushIsRefused() throws {
    let tree = PendingFixture.tree
    let scratch = try Scratch()
    try scratch.write { forest in for key in UInt64(0)..<500 { forest.insert(tree, Words(2 * key, 1)) } }
    try scratch.write { forest in
      for key in UInt64(0)..<20 { forest.insert(tree, Words(2 * key + 1, 1)) }
      var cursor = try forest.cursor(tree)
      try cursor.seek(to: .start)
      _ = try cursor.next()
      try forest.flush()
      for count in [1, 30, 300, -1, .max] {
        let error = #expect(throws: IndexError.self) { try cursor.skip(count) }
        guard case .cursorExpired(tree.id) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      try cursor.seek(toRank: 30)
      #expect(try cursor.next() == Words(30, 1))
    }
  }

  @Test func aSkipOverTextsAfterAFlushIsRefused() throws {
    let tree = TextTreeSchema(id: 12, name: "texts")
    let fixture = try TextTreeFixture()
    func key(_ number: Int) -> TextKey {
      TextKey(group: 1, text: Array("text \(1000 + number)".utf8), row: 1)
    }
    try fixture.write { forest in for number in 0..<500 { forest.insert(tree, key(2 * number)) } }
    try fixture.write { forest in
      for number in 0..<20 { forest.insert(tree, key(2 * number + 1)) }
      var cursor = try forest.cursor(tree)
      try cursor.seek(to: .start)
      _ = try cursor.next()
      try forest.flush()
      for count in [1, 30, 300, -1, .max] {
        let error = #expect(throws: IndexError.self) { try cursor.skip(count) }
        guard case .cursorExpired(tree.id) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      try cursor.seek(toRank: 30)
      #expect(try cursor.next() == 1)
      #expect(try cursor.key() == key(30))
    }
  }
}

internal import RankedIndex
internal import RankedKeys
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing

/// Finds the conversations of visible messages, which indexes of texts name by their creation sequences alone.
package struct MessagePlaces: ~Copyable {
  private var cursor: MergedCursor

  package init(_ snapshot: Snapshot) throws {
    cursor = try snapshot.forest.cursor(IndexCatalog.messageCreated.tree)
  }

  /// Returns the row of the conversation of the message with a creation sequence. One descent.
  package mutating func conversation(of sequence: UInt64) throws -> UInt32 {
    let index = IndexCatalog.messageCreated
    try cursor.seek(to: .before(Words(sequence), columns: 1))
    guard let row = try cursor.next(), index.sequence(of: row) == sequence else {
      throw RecordError(index.name, "\(sequence)", "another index names the message, and it is missing")
    }
    return index.conversation(of: row)
  }
}

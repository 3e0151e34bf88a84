internal import RankedKeys
import SatchelBytes

/// A sorted run of pending texts, which versions of `PendingTexts` share.
final class PendingTextRun: Sendable {
  /// Sendable because nothing changes after `init` but ranks, which are atomic; safe because of that, too.
  @safe nonisolated(unsafe) let rows: TextRows

  init() {
    rows = TextRows(capacity: 0, keyBytes: 0)
  }

  private init(owning rows: TextRows) {
    self.rows = rows
  }

  deinit {
    rows.deallocate()
  }

  /// Returns the small run with the changes of a commit, which must be sorted by key and, for one key, by arrival. One
  /// pass: what lies between two keys is copied as it is, and only the changes' own places in the large run are looked
  /// for. O(rows + changes x log(large run)).
  /// - Throws: `outOfStep` if a change contradicts what is known of its key: from either run, or from a change before.
  func adding(_ batch: TextChanges, over large: PendingTextRun) throws(IndexError) -> PendingTextRun {
    let small = rows
    let large = large.rows
    let changes = batch.changes
    let bytes = batch.bytes
    var builder = TextRowsBuilder(
      capacity: small.count + changes.count, keyBytes: small.keyBytes + bytes.count)
    var from = 0
    var place = 0
    var index = 0
    while index < changes.count {
      let first = changes[index]
      let key = unsafe bytes.span.bytes.extracting(first.bytes)
      let position = small.position(of: key, first.row, in: from..<small.count)
      builder.rows.append(small, from..<position)
      from = position
      // What is pending of the key in the small run: nil is nothing, otherwise whether it is inserted.
      var kind: Bool?
      var isPresent: Bool?
      var rank = RunRows.unknownRank
      let isOverLarge: Bool
      if position < small.count, small.compare(position, key, first.row) == 0 {
        from += 1
        place = small.place(position)
        isOverLarge = small.isOverLarge(position)
        rank = small.knownRank(position)
        kind = small.isInsertion(position)
        isPresent = kind
      } else {
        // The neighbours in the small run narrow the search in the large one.
        let low = max(place, position > 0 ? small.place(position - 1) : 0)
        let high = position < small.count ? small.place(position) : large.count
        place = large.position(of: key, first.row, in: low..<high)
        isOverLarge = place < large.count && large.compare(place, key, first.row) == 0
        if isOverLarge {
          rank = large.knownRank(place)
          isPresent = large.isInsertion(place)
        }
      }
      repeat {
        let change = changes[index]
        if isPresent == change.isInsertion {
          throw PendingTexts.outOfStep(
            batch.tree, change.words, change.isInsertion ? "inserted twice" : "removed twice")
        }
        isPresent = change.isInsertion
        // The second of two changes takes back the first: an entry is nothing but its key.
        kind = kind == nil ? change.isInsertion : nil
        index += 1
      } while index < changes.count && batch.haveSameKey(changes[index], first)
      guard let kind else { continue }
      builder.rows.append(
        isInsertion: kind, key, first.row, rank: rank, place: place, isOverLarge: isOverLarge)
    }
    builder.rows.append(small, from..<small.count)
    return PendingTextRun(owning: builder.take())
  }

  /// Returns this large run with a small one merged into it, after which the small one is empty. No key is compared:
  /// each small row knows its place. O(rows of both), most of it copying.
  func promoting(_ run: PendingTextRun) -> PendingTextRun {
    let small = run.rows
    guard small.count > 0 else { return self }
    var builder = TextRowsBuilder(
      capacity: rows.count + small.count, keyBytes: rows.keyBytes + small.keyBytes)
    var from = 0
    for index in 0..<small.count {
      let place = small.place(index)
      builder.rows.append(rows, from..<place)
      from = place
      if small.isOverLarge(index) {
        // One inserts what the other removes, or the small row would have been refused.
        from += 1
      } else {
        unsafe builder.rows.append(
          isInsertion: small.isInsertion(index), small.bytes(index).bytes, small.row(index),
          rank: small.knownRank(index))
      }
    }
    builder.rows.append(rows, from..<rows.count)
    return PendingTextRun(owning: builder.take())
  }
}

/// A run that is being made. It frees its rows if making it fails.
private struct TextRowsBuilder: ~Copyable {
  var rows: TextRows

  init(capacity: Int, keyBytes: Int) {
    rows = TextRows(capacity: capacity, keyBytes: keyBytes)
  }

  /// Gives the rows to an owner that frees them.
  consuming func take() -> TextRows {
    let rows = rows
    discard self
    return rows
  }

  deinit {
    rows.deallocate()
  }
}

internal import RankedKeys
import Synchronization

/// The rows of one sorted run of pending rows, in one allocation: all words, then for each row the running sums of
/// signs, the ranks, the places and the kinds. A row of `c` columns takes 8 c + 13 bytes.
///
/// This type is the addresses of that allocation, not its owner: `PendingRun` is. A loop over rows therefore counts no
/// references. Nobody writes after the run is published, except for ranks.
@safe
struct RunRows {
  /// Ascending by key, no key twice.
  private(set) var count = 0
  private let columns: Int
  private let keyColumns: Int
  private let words: UnsafeMutablePointer<UInt64>
  /// One more than there are rows: the last is the sum over all.
  private let nets: UnsafeMutablePointer<Int32>
  private let ranks: UnsafeMutablePointer<Atomic<UInt32>>
  private let places: UnsafeMutablePointer<UInt32>
  private let kinds: UnsafeMutablePointer<UInt8>

  /// Stands for a rank that nobody has asked for yet. The one tree so large that this is a true rank only has that
  /// rank found again each time.
  static var unknownRank: UInt32 { .max }

  /// Set in the kind of a small row if the large run has a row of its key.
  private static var overLarge: UInt8 { 4 }

  /// Allocates room for `capacity` rows.
  init(capacity: Int, tree: TreeSchema) {
    columns = tree.columns
    keyColumns = tree.keyColumns
    let wordBytes = 8 * columns * capacity
    let byteCount = wordBytes + 4 * (capacity + 1) + 9 * capacity
    let base = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    unsafe words = base.bindMemory(to: UInt64.self, capacity: columns * capacity)
    unsafe nets = (base + wordBytes).bindMemory(to: Int32.self, capacity: capacity + 1)
    unsafe ranks = (base + wordBytes + 4 * (capacity + 1))
      .bindMemory(to: Atomic<UInt32>.self, capacity: capacity)
    unsafe places = (base + wordBytes + 4 * (2 * capacity + 1))
      .bindMemory(to: UInt32.self, capacity: capacity)
    unsafe kinds = (base + wordBytes + 4 * (3 * capacity + 1))
      .bindMemory(to: UInt8.self, capacity: capacity)
    unsafe nets.initialize(to: 0)
  }

  func deallocate() {
    unsafe ranks.deinitialize(count: count)
    unsafe UnsafeMutableRawPointer(words).deallocate()
  }

  /// The bytes that the rows take.
  var byteCount: Int { count * (8 * columns + 13) + 4 }

  @inline(__always)
  func word(_ row: Int, _ column: Int) -> UInt64 {
    assert(row < count && column < columns)
    return unsafe words[row &* columns &+ column]
  }

  /// Returns all columns of a row.
  @inline(__always)
  func row(_ row: Int) -> Words {
    assert(row < count)
    var result = Words()
    for column in 0..<columns { result[column] = unsafe words[row &* columns &+ column] }
    return result
  }

  @inline(__always)
  func kind(_ row: Int) -> Operation.Kind {
    assert(row < count)
    return switch unsafe kinds[row] & 3 {
    case 0: .insert
    case 1: .remove
    default: .replace
    }
  }

  /// Returns the sum of the signs of the rows before a row: 1 for an insert, -1 for a remove, 0 for a replacement.
  /// `row` may be the number of rows.
  @inline(__always)
  func net(_ row: Int) -> Int {
    assert(row <= count)
    return Int(unsafe nets[row])
  }

  /// Returns the number of rows of the large run whose keys are before a small row's.
  @inline(__always)
  func place(_ row: Int) -> Int {
    assert(row < count)
    return Int(unsafe places[row])
  }

  /// Whether the large run has a row with a small row's key; it is the one at the small row's place.
  @inline(__always)
  func isOverLarge(_ row: Int) -> Bool {
    assert(row < count)
    return unsafe kinds[row] & Self.overLarge != 0
  }

  /// Returns the number of entries of the base tree before a row's key, or `unknownRank`.
  @inline(__always)
  func knownRank(_ row: Int) -> UInt32 {
    assert(row < count)
    return unsafe ranks[row].load(ordering: .relaxed)
  }

  /// Keeps a rank for later readers. Every thread finds the same number, so that neither the order of two stores
  /// matters nor whether a reader sees one.
  @inline(__always)
  func keep(rank: UInt32, _ row: Int) {
    assert(row < count)
    unsafe ranks[row].store(rank, ordering: .relaxed)
  }

  /// Whether a row has this key.
  @inline(__always)
  func hasKey(_ row: Int, _ key: Words) -> Bool {
    for column in 0..<keyColumns where word(row, column) != key[column] { return false }
    return true
  }

  /// Returns the number of rows before a bound, which is known to lie in `range`. O(log n).
  @inline(__always)
  func position(of bound: Bound, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low &+ high) &>> 1
      if isBefore(middle, bound) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Returns the same, by steps that grow from the begin of `range` on: for a bound that is probably near there.
  @inline(__always)
  func positionNear(of bound: Bound, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var step = 1
    while low &+ step <= range.upperBound, isBefore(low &+ step &- 1, bound) {
      low &+= step
      step &*= 2
    }
    return position(of: bound, in: low..<min(low &+ step, range.upperBound))
  }

  @inline(__always)
  func position(of bound: Bound) -> Int { position(of: bound, in: 0..<count) }

  @inline(__always)
  private func isBefore(_ row: Int, _ bound: Bound) -> Bool {
    for column in 0..<min(bound.columns, columns) {
      let word = word(row, column)
      let other = bound.words[column]
      if word != other { return word < other }
    }
    return bound.isAfter
  }

  /// Adds a row at the end, for which there must be room.
  mutating func append(
    _ kind: Operation.Kind, _ row: Words, rank: UInt32, place: Int = 0, isOverLarge: Bool = false
  ) {
    for column in 0..<columns { unsafe words[count &* columns &+ column] = row[column] }
    unsafe (ranks + count).initialize(to: Atomic(rank))
    unsafe places[count] = UInt32(truncatingIfNeeded: place)
    unsafe kinds[count] = UInt8(truncatingIfNeeded: kind.rawValue) | (isOverLarge ? Self.overLarge : 0)
    unsafe nets[count &+ 1] = nets[count] &+ Int32(kind.sign)
    count &+= 1
  }

  /// Adds a row of a large run at the end, for which there must be room, from its words.
  mutating func append(_ kind: Operation.Kind, _ row: UnsafePointer<UInt64>) {
    unsafe (words + count &* columns).update(from: row, count: columns)
    unsafe (ranks + count).initialize(to: Atomic(Self.unknownRank))
    unsafe places[count] = 0
    unsafe kinds[count] = UInt8(truncatingIfNeeded: kind.rawValue)
    unsafe nets[count &+ 1] = nets[count] &+ Int32(kind.sign)
    count &+= 1
  }

  /// Adds a stretch of another run at the end, with all that is known of its rows.
  mutating func append(_ other: RunRows, _ range: Range<Int>) {
    assert(range.upperBound <= other.count)
    let first = range.lowerBound
    guard !range.isEmpty else { return }
    unsafe (words + count &* columns)
      .update(from: other.words + first &* columns, count: range.count &* columns)
    unsafe (places + count).update(from: other.places + first, count: range.count)
    unsafe (kinds + count).update(from: other.kinds + first, count: range.count)
    let difference = unsafe nets[count] &- other.nets[first]
    for index in 0..<range.count {
      unsafe nets[count &+ index &+ 1] = other.nets[first &+ index &+ 1] &+ difference
      // Readers may be filling these in, so that they are not copied like the others.
      unsafe (ranks + (count &+ index)).initialize(to: Atomic(other.knownRank(first &+ index)))
    }
    count &+= range.count
  }
}

extension Operation.Kind {
  /// By how much a change of this kind changes the number of entries.
  var sign: Int {
    switch self {
    case .insert: 1
    case .remove: -1
    case .replace: 0
    }
  }
}

internal import RankedKeys
import SatchelBytes
import Synchronization

/// The rows of one sorted run of pending texts, in one allocation: the rows of objects, then the ends of keys, the
/// running sums of signs, the ranks, the places and the kinds, and at last the bytes of all keys, each a group and a
/// text. A row takes 25 bytes and its key.
///
/// Like `RunRows`, this type is the addresses of that allocation, not its owner, which is `PendingTextRun`; and nobody
/// writes after the run is published, except for ranks.
@safe
struct TextRows {
  /// Ascending by key, no key twice.
  private(set) var count = 0
  private let rows: UnsafeMutablePointer<UInt64>
  /// Where each key begins. One more than there are rows: the last is the end of all keys.
  private let starts: UnsafeMutablePointer<UInt32>
  /// One more than there are rows: the last is the sum over all.
  private let nets: UnsafeMutablePointer<Int32>
  private let ranks: UnsafeMutablePointer<Atomic<UInt32>>
  private let places: UnsafeMutablePointer<UInt32>
  private let kinds: UnsafeMutablePointer<UInt8>
  private let keys: UnsafeMutablePointer<UInt8>

  /// Set in the kind of a row that inserts its key; without it the row removes the key.
  private static var insertion: UInt8 { 1 }
  /// Set in the kind of a small row if the large run has a row of its key.
  private static var overLarge: UInt8 { 2 }

  /// Allocates room for `capacity` rows whose keys have `keyBytes` bytes together.
  init(capacity: Int, keyBytes: Int) {
    let starts = 8 * capacity
    let nets = starts + 4 * (capacity + 1)
    let ranks = nets + 4 * (capacity + 1)
    let places = ranks + 4 * capacity
    let kinds = places + 4 * capacity
    let keys = kinds + capacity
    let base = UnsafeMutableRawPointer.allocate(byteCount: keys + keyBytes, alignment: 8)
    unsafe rows = base.bindMemory(to: UInt64.self, capacity: capacity)
    unsafe self.starts = (base + starts).bindMemory(to: UInt32.self, capacity: capacity + 1)
    unsafe self.nets = (base + nets).bindMemory(to: Int32.self, capacity: capacity + 1)
    unsafe self.ranks = (base + ranks).bindMemory(to: Atomic<UInt32>.self, capacity: capacity)
    unsafe self.places = (base + places).bindMemory(to: UInt32.self, capacity: capacity)
    unsafe self.kinds = (base + kinds).bindMemory(to: UInt8.self, capacity: capacity)
    unsafe self.keys = (base + keys).bindMemory(to: UInt8.self, capacity: keyBytes)
    unsafe self.starts.initialize(to: 0)
    unsafe self.nets.initialize(to: 0)
  }

  func deallocate() {
    unsafe ranks.deinitialize(count: count)
    unsafe UnsafeMutableRawPointer(rows).deallocate()
  }

  /// The bytes of all keys.
  var keyBytes: Int { Int(unsafe starts[count]) }

  /// The bytes that the rows take.
  var byteCount: Int { count * 25 + 8 + keyBytes }

  /// Returns the row of the object that has the text.
  @inline(__always)
  func row(_ index: Int) -> UInt64 {
    assert(index < count)
    return unsafe rows[index]
  }

  /// Returns the group and the text, valid as long as the rows.
  @inline(__always)
  func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    assert(index < count)
    let start = Int(unsafe starts[index])
    return unsafe UnsafeRawBufferPointer(
      start: keys + start, count: Int(starts[index &+ 1]) &- start)
  }

  /// Returns a key as an entry of the tree.
  func key(_ index: Int) -> TextKey {
    let bytes = unsafe bytes(index)
    return unsafe TextKey(
      group: bytes.bytes.be64(0), text: [UInt8](bytes.dropFirst(TextLimit.groupBytes)), row: row(index))
  }

  /// Whether a row inserts its key; otherwise it removes the key.
  @inline(__always)
  func isInsertion(_ index: Int) -> Bool {
    assert(index < count)
    return unsafe kinds[index] & Self.insertion != 0
  }

  /// Returns the sum of the signs of the rows before a row: 1 for an insertion, -1 for a removal. `index` may be the
  /// number of rows.
  @inline(__always)
  func net(_ index: Int) -> Int {
    assert(index <= count)
    return Int(unsafe nets[index])
  }

  /// Returns the number of rows of the large run whose keys are before a small row's.
  @inline(__always)
  func place(_ index: Int) -> Int {
    assert(index < count)
    return Int(unsafe places[index])
  }

  /// Whether the large run has a row with a small row's key; it is the one at the small row's place.
  @inline(__always)
  func isOverLarge(_ index: Int) -> Bool {
    assert(index < count)
    return unsafe kinds[index] & Self.overLarge != 0
  }

  /// Returns the number of entries of the base tree before a row's key, or `RunRows.unknownRank`.
  @inline(__always)
  func knownRank(_ index: Int) -> UInt32 {
    assert(index < count)
    return unsafe ranks[index].load(ordering: .relaxed)
  }

  /// Keeps a rank for later readers. Every thread finds the same number, so that neither the order of two stores
  /// matters nor whether a reader sees one.
  @inline(__always)
  func keep(rank: UInt32, _ index: Int) {
    assert(index < count)
    unsafe ranks[index].store(rank, ordering: .relaxed)
  }

  /// Compares a row's key with the bytes of a group and a text, and an object's row. The result is negative, 0 or
  /// positive.
  @inline(__always)
  func compare(_ index: Int, _ bytes: borrowing RawSpan, _ row: UInt64) -> Int {
    let order = unsafe self.bytes(index).bytes.compare(bytes)
    if order != 0 { return order }
    let own = self.row(index)
    return own == row ? 0 : own < row ? -1 : 1
  }

  /// Returns the number of rows before a key, which is known to lie in `range`. O(log n).
  func position(of bytes: borrowing RawSpan, _ row: UInt64, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low &+ high) &>> 1
      if compare(middle, bytes, row) < 0 { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Adds a row at the end, for which there must be room.
  mutating func append(
    isInsertion: Bool, _ bytes: borrowing RawSpan, _ row: UInt64, rank: UInt32, place: Int = 0,
    isOverLarge: Bool = false
  ) {
    let start = keyBytes
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: keys + start, count: source.count).copyMemory(from: source)
    }
    unsafe starts[count &+ 1] = UInt32(truncatingIfNeeded: start &+ bytes.byteCount)
    unsafe rows[count] = row
    unsafe (ranks + count).initialize(to: Atomic(rank))
    unsafe places[count] = UInt32(truncatingIfNeeded: place)
    unsafe kinds[count] = (isInsertion ? Self.insertion : 0) | (isOverLarge ? Self.overLarge : 0)
    unsafe nets[count &+ 1] = nets[count] &+ (isInsertion ? 1 : -1)
    count &+= 1
  }

  /// Adds a stretch of another run at the end, with all that is known of its rows.
  mutating func append(_ other: TextRows, _ range: Range<Int>) {
    assert(range.upperBound <= other.count)
    let first = range.lowerBound
    guard !range.isEmpty else { return }
    let start = unsafe other.starts[first]
    let end = unsafe other.starts[range.upperBound]
    let shift = unsafe starts[count] &- start
    let sum = unsafe nets[count] &- other.nets[first]
    unsafe (keys + keyBytes).update(from: other.keys + Int(start), count: Int(end &- start))
    unsafe (rows + count).update(from: other.rows + first, count: range.count)
    unsafe (places + count).update(from: other.places + first, count: range.count)
    unsafe (kinds + count).update(from: other.kinds + first, count: range.count)
    for index in 0..<range.count {
      unsafe starts[count &+ index &+ 1] = other.starts[first &+ index &+ 1] &+ shift
      unsafe nets[count &+ index &+ 1] = other.nets[first &+ index &+ 1] &+ sum
      // Readers may be filling these in, so that they are not copied like the others.
      unsafe (ranks + (count &+ index)).initialize(to: Atomic(other.knownRank(first &+ index)))
    }
    count &+= range.count
  }
}

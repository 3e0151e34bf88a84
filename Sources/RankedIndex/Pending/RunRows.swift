import Synchronization

/// The rows of one sorted run, in one allocation: for each row the running sums of signs, the ranks, the places and the
/// kinds, then all keys. A row takes 13 bytes and its key.
///
/// This type is the addresses of that allocation, not its owner: `Run` is. A loop over rows therefore counts no
/// references. Nobody writes after the run is published, except for ranks.
@safe
struct RunRows<Tree: RunTree>: BitwiseCopyable {
  /// Ascending by key, no key twice.
  private(set) var count: Int
  let keys: Tree.Keys
  /// One more than there are rows: the last is the sum over all. Begins the allocation.
  private let nets: UnsafeMutablePointer<Int32>
  private let ranks: UnsafeMutablePointer<Atomic<UInt32>>
  private let places: UnsafeMutablePointer<UInt32>
  private let kinds: UnsafeMutablePointer<UInt8>

  /// Stands for a rank that nobody has asked for yet. The one tree so large that this is a true rank only has that
  /// rank found again each time.
  static var unknownRank: UInt32 { .max }

  /// Set in the kind of a small row if the large run has a row of its key.
  private static var overLarge: UInt8 { 4 }

  /// The rows of a run of this tree.
  @inline(__always)
  init(_ tree: Tree, _ run: Run) {
    let (base, capacity) = (run.base, run.capacity)
    let ranks = 4 &* (capacity &+ 1)
    count = run.count
    // Nothing else is ever in this memory.
    unsafe nets = base.assumingMemoryBound(to: Int32.self)
    unsafe self.ranks = (base + ranks).assumingMemoryBound(to: Atomic<UInt32>.self)
    unsafe places = (base + ranks + 4 &* capacity).assumingMemoryBound(to: UInt32.self)
    unsafe kinds = (base + ranks + 8 &* capacity).assumingMemoryBound(to: UInt8.self)
    keys = unsafe Tree.Keys(tree, at: base + Self.keyOffset(capacity), capacity: capacity)
  }

  /// Returns the memory that a run needs.
  static func byteCount(_ tree: Tree, capacity: Int, textBytes: Int) -> Int {
    keyOffset(capacity) + Tree.Keys.byteCount(tree, capacity) + textBytes
  }

  /// Where the keys begin: behind the other columns, at a multiple of eight bytes.
  private static func keyOffset(_ capacity: Int) -> Int { (13 &* capacity &+ 11) & ~7 }

  /// Begins a run, in memory that is new.
  func clear() {
    unsafe nets.initialize(to: 0)
    keys.clear()
  }

  /// Returns the bytes that the rows take.
  func byteCount(_ tree: Tree) -> Int { 13 * count + 4 + Tree.Keys.byteCount(tree, count) + textBytes }

  /// The bytes of all texts.
  var textBytes: Int { keys.textBytes(count) }

  @inline(__always)
  func kind(_ row: Int) -> ChangeKind {
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

  /// Returns the number of rows before a bound. O(log n).
  @inline(__always)
  func position(of bound: Tree.Keys.Bound) -> Int { position(of: bound, in: 0..<count) }

  /// Returns the number of rows before a bound, which is known to lie in `range`. O(log n).
  @inline(__always)
  func position(of bound: Tree.Keys.Bound, in range: Range<Int>) -> Int {
    position(in: range) { keys.isBefore($0, bound) }
  }

  /// Returns where the rows end that are before something, which is known to lie in `range`. O(log n).
  @inline(__always)
  func position(in range: Range<Int>, _ isBefore: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low &+ high) &>> 1
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Returns the same, by steps that grow from the begin of `range` on: for something that is probably near there.
  @inline(__always)
  func positionNear(in range: Range<Int>, _ isBefore: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var step = 1
    while low &+ step <= range.upperBound, isBefore(low &+ step &- 1) {
      low &+= step
      step &*= 2
    }
    return position(in: low..<min(low &+ step, range.upperBound), isBefore)
  }

  /// Adds a row at the end, for which there must be room and whose key is there already.
  @inline(__always)
  mutating func append(_ kind: ChangeKind, rank: UInt32, place: Int = 0, isOverLarge: Bool = false) {
    unsafe (ranks + count).initialize(to: Atomic(rank))
    unsafe places[count] = UInt32(truncatingIfNeeded: place)
    unsafe kinds[count] = kind.rawValue | (isOverLarge ? Self.overLarge : 0)
    unsafe nets[count &+ 1] = nets[count] &+ Int32(kind.sign)
    count &+= 1
  }

  /// Adds a stretch of another run at the end, with all that is known of its rows.
  mutating func append(_ other: RunRows, _ range: Range<Int>) {
    assert(range.upperBound <= other.count)
    let first = range.lowerBound
    guard !range.isEmpty else { return }
    keys.copy(other.keys, range, behind: count)
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

internal import LMDBPages
internal import StoreFiles

/// Entries of neighbouring leaves that would fit into fewer leaves.
struct SparseLeaves {
  /// The key of the first entry that was not looked at; nil if there is none.
  private(set) var next: [UInt8]?
  /// How many leaves they are in.
  private(set) var count = 0
  /// How many they would fill, if each took what fits.
  private var needed = 0
  /// The bytes that are taken in the last of those.
  private var taken = 0
  /// The keys and the values, one after another, and how long each is.
  private var bytes: [UInt8] = []
  private var lengths: [(key: Int, value: Int)] = []

  private let capacity: Int

  /// Looks for them in a tree.
  /// - Parameters:
  ///   - key: Where to begin; nil for the first leaf.
  ///   - most: How many leaves to take at most.
  ///   - mostRead: After how many leaves to give up; two at least, as one has none to be joined with.
  init(
    of tree: TreeRecord, in map: PageMap, from key: [UInt8]?, atMost most: Int, reading mostRead: Int
  ) throws(PageFault) {
    capacity = map.pageSize - CheckedPage.header
    let mostRead = max(2, mostRead)
    var walk = PageWalk(map, tree)
    var isThere = try Self.begin(&walk, key)
    var read = 0
    while isThere, let leaf = walk.leaf {
      let sparse = try isSparse(leaf)
      let isTaken = sparse && read < mostRead && count < most
      if !isTaken, isWorthwhile || read >= mostRead {
        next = unsafe Array(leaf.key(try leaf.node(0)))
        break
      }
      if isTaken {
        try take(leaf)
      } else {
        forget()
        if sparse { try take(leaf) }
      }
      read += 1
      isThere = unsafe try walk.nextLeaf() != nil
    }
    if !isWorthwhile { forget() }
  }

  /// How many leaves fewer there will be; 0 if there is nothing to do.
  var gain: Int { count - needed }

  /// Calls `body` with each entry, in the order of the keys.
  func forEach(
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let outcome: Result<Void, LMDBError> = unsafe bytes.withUnsafeBytes { bytes in
      var start = 0
      for length in lengths {
        let (middle, end) = (start + length.key, start + length.key + length.value)
        do throws(LMDBError) {
          unsafe try body(
            UnsafeRawBufferPointer(rebasing: bytes[start..<middle]),
            UnsafeRawBufferPointer(rebasing: bytes[middle..<end]))
        } catch {
          return .failure(error)
        }
        start = end
      }
      return .success(())
    }
    try outcome.get()
  }

  /// Moves a walk to the first leaf to look at. Returns whether there is one.
  private static func begin(_ walk: inout PageWalk, _ key: [UInt8]?) throws(PageFault) -> Bool {
    guard let key else { return unsafe try walk.first() != nil }
    let outcome: Result<Bool, PageFault> = unsafe key.withUnsafeBytes { bytes in
      guard let key = unsafe SearchKey(bytes) else { return .success(false) }
      do throws(PageFault) { return unsafe .success(try walk.seek(key) != nil) } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Whether a quarter of a leaf is free, and all its values lie in it.
  private func isSparse(_ leaf: CheckedPage) throws(PageFault) -> Bool {
    let used = leaf.size - leaf.upper + 2 * leaf.count
    guard 4 * used <= 3 * capacity else { return false }
    for index in 0..<leaf.count {
      guard case .here = try leaf.value(try leaf.node(index)) else { return false }
    }
    return true
  }

  private mutating func take(_ leaf: CheckedPage) throws(PageFault) {
    count += 1
    for index in 0..<leaf.count {
      let node = try leaf.node(index)
      guard case .here(let value) = try leaf.value(node) else { continue }
      let key = unsafe leaf.key(node)
      unsafe bytes += key
      unsafe bytes += value
      lengths.append((key.count, value.count))
      let size = CheckedPage.entryBytes(key: key.count, value: value.count)
      taken += size
      if needed == 0 || taken > capacity {
        needed += 1
        taken = size
      }
    }
  }

  private var isWorthwhile: Bool { gain > 0 && 8 * gain >= count }

  private mutating func forget() {
    (count, needed, taken) = (0, 0, 0)
    bytes.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
  }
}

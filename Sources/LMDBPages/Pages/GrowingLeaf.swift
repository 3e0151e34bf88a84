/// A leaf with what is about to come into it.
package struct GrowingLeaf {
  /// Entries that come between two neighbours of the leaf.
  private struct Arrival {
    /// The entry of the leaf before which they come.
    let place: Int
    /// The first one of the changes that bring them.
    let change: Int
    let group: [UInt8]
    /// What all of them take.
    var bytes: Int
  }

  package let leaf: CheckedPage
  private let groupBytes: Int
  private var arrivals: [Arrival] = []
  private var added = 0

  /// - Parameter groupBytes: How many bytes at the beginning of a key say to which group an entry belongs.
  package init(_ leaf: CheckedPage, groupBytes: Int) {
    self.leaf = leaf
    self.groupBytes = groupBytes
  }

  private var capacity: Int { leaf.size - CheckedPage.header }

  /// Adds a change. They come in the order of their keys.
  /// - Parameter length: The bytes of its value; nil for a removal.
  package mutating func add(
    _ change: Int, _ key: SearchKey, _ bytes: UnsafeRawBufferPointer, _ length: Int?
  ) throws(PageFault) {
    let (place, isFound) = try leaf.firstIndex(atOrAfter: key)
    guard !isFound, let length else { return }
    let size = CheckedPage.entryBytes(key: bytes.count, value: length)
    added += size
    if let last = arrivals.indices.last, arrivals[last].place == place { return arrivals[last].bytes += size }
    let group = unsafe Array(bytes.prefix(groupBytes))
    arrivals.append(Arrival(place: place, change: change, group: group, bytes: size))
  }

  /// Returns what to take away, if not all will fit: and either a group that has half of the leaf goes on within it, or so much comes
  /// to one place that the leaf will be full up to there. At its end nothing has to be taken away.
  /// - Returns: The first change that comes there, and the keys of the leaf's entries behind it.
  package func growth() throws(PageFault) -> (change: Int, keysBehind: [[UInt8]])? {
    let used = leaf.size - leaf.upper + 2 * leaf.count
    guard used + added > capacity else { return nil }
    for arrival in arrivals {
      if arrival.place < leaf.count, try !isWorthwhile(arrival) { continue }
      var keys: [[UInt8]] = []
      for index in arrival.place..<leaf.count {
        let node = try leaf.node(index)
        // A value that has pages of its own would be written again.
        guard case .here = try leaf.value(node) else { return nil }
        unsafe keys.append(Array(leaf.key(node)))
      }
      return (arrival.change, keys)
    }
    return nil
  }

  /// Whether the leaf will be full up to an arrival, and what comes to this place later comes elsewhere.
  private func isWorthwhile(_ arrival: Arrival) throws(PageFault) -> Bool {
    var (before, ofGroup) = (0, 0)
    for index in 0..<arrival.place {
      let node = try leaf.node(index)
      guard case .here(let value) = try leaf.value(node) else { continue }
      let bytes = CheckedPage.entryBytes(key: node.keyCount, value: value.count)
      before += bytes
      if unsafe leaf.key(node).prefix(groupBytes).elementsEqual(arrival.group) { ofGroup += bytes }
    }
    return 2 * ofGroup >= capacity || 2 * arrival.bytes >= capacity && before + arrival.bytes >= capacity
  }
}

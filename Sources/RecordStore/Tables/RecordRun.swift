/// Changes of records in the order of their keys, no key twice. Nothing changes after `init`, so that versions of
/// `PendingRecords` and threads share it.
@safe final class RecordRun: @unchecked Sendable {
  /// Addresses stay valid as long as the run: keys of entries are read in place.
  private let rows: UnsafeMutableBufferPointer<RecordChange>

  static let empty = unsafe RecordRun(capacity: 0) { _ in 0 }

  /// - Parameter fill: Initializes rows from the first one on and returns how many.
  private init(capacity: Int, _ fill: (UnsafeMutableBufferPointer<RecordChange>) -> Int) {
    let memory = UnsafeMutableBufferPointer<RecordChange>.allocate(capacity: capacity)
    let count = unsafe fill(memory)
    unsafe rows = UnsafeMutableBufferPointer(rebasing: memory[..<count])
    unsafe base = memory
  }

  /// The allocation: some of it may be unused.
  private let base: UnsafeMutableBufferPointer<RecordChange>

  deinit { unsafe base.deallocate() }

  var count: Int { unsafe rows.count }

  @inline(__always)
  subscript(index: Int) -> RecordChange {
    precondition(index >= 0 && index < count)
    return unsafe rows[index]
  }

  /// Returns the bytes of a key. They are valid as long as this run.
  func keyBytes(_ index: Int) -> UnsafeRawBufferPointer {
    let count = Int(self[index].keyCount)
    // The bytes of the key are the first ones of a change.
    return unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(rows.baseAddress! + index), count: count)
  }

  /// Returns the number of changes whose keys are before a key. O(log n).
  func position(of key: RecordKey) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if unsafe rows[middle].key < key { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Returns the change of a key, or nil. O(log n).
  func find(_ key: RecordKey) -> RecordChange? {
    let index = position(of: key)
    return index < count && self[index].key == key ? self[index] : nil
  }

  /// The indices of the changes, in the order of their arrival.
  var inOrderOfArrival: [Int] {
    var order = (0..<count).map { (arrival: self[$0].order, index: $0) }
    order.sort { $0.arrival < $1.arrival }
    return order.map(\.index)
  }

  /// Returns this run with later changes, in the order of their arrival, which get the numbers from `first` on. O(changes of
  /// both).
  func adding(_ changes: [RecordChange], numberedFrom first: UInt32) -> RecordRun {
    let order = RecordKeyOrder.indices(of: changes)
    // Many changes may be of few keys: the run is to take no more memory than its rows.
    var keys = changes.count
    if keys > 64 {
      for position in 1..<changes.count
      where changes[Int(order[position])].key == changes[Int(order[position - 1])].key {
        keys -= 1
      }
    }
    return adding(changes.count, keys: keys) { position in
      let index = order[position]
      var change = changes[Int(index)]
      change.order = first &+ index
      return change
    }
  }

  /// Returns this run with the changes of a later one.
  func adding(_ later: RecordRun) -> RecordRun {
    if count == 0 { return later }
    if later.count == 0 { return self }
    return adding(later.count, keys: later.count) { later[$0] }
  }

  /// Returns this run with later changes, which are in the order of their keys and, for one key, of their arrival.
  /// - Parameter keys: The number of keys that the changes have.
  @inline(__always)
  private func adding(_ changes: Int, keys: Int, _ change: (Int) -> RecordChange) -> RecordRun {
    unsafe RecordRun(capacity: count + keys) { result in
      var filled = 0
      var index = 0
      func append(_ change: RecordChange) {
        unsafe (result.baseAddress! + filled).initialize(to: change)
        filled += 1
      }
      for position in 0..<changes {
        let change = change(position)
        let key = change.key
        while index < count, self[index].key < key {
          append(self[index])
          index += 1
        }
        if index < count, self[index].key == key {
          append(change.folded(onto: self[index]))
          index += 1
        } else if filled > 0, unsafe result[filled - 1].key == key {
          unsafe result[filled - 1] = change.folded(onto: result[filled - 1])
        } else {
          append(change)
        }
      }
      while index < count {
        append(self[index])
        index += 1
      }
      return filled
    }
  }
}

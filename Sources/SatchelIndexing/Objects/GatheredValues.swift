package import RankedKeys
internal import SatchelModel

/// The metadata of the messages of an import into a new store that wait, as the index is to hold it: a line of 32 bytes for each value,
/// and the bytes of all values one after another.
package struct GatheredValues {
  private var lines: [Line] = []
  private var bytes: [UInt8] = []

  private struct Line: Sendable {
    let group: UInt64
    /// The first eight bytes, big-endian. They decide most comparisons of a sort.
    let start: UInt64
    let offset: UInt64
    let length: UInt32
    let message: UInt32
  }

  package init() {}

  package var byteCount: Int { bytes.count + lines.count * MemoryLayout<Line>.stride }

  /// - Parameter message: The number of the message among those that wait.
  package mutating func append(_ value: IndexedValue, of message: UInt32) {
    let offset = bytes.count
    let group: UInt64
    switch value.value {
    case .text(let text):
      group = IndexedValue.group(ofPath: value.path, texts: true)
      bytes.append(contentsOf: text)
    case .scalar(let key):
      group = IndexedValue.group(ofPath: value.path, texts: false)
      unsafe key.withBytes { unsafe bytes.append(contentsOf: $0) }
    case .reference(let key):
      group = IndexedValue.group(ofPath: value.path, texts: false)
      bytes.append(ValueKey.Tag.reference)
      bytes.append(contentsOf: key)
    }
    var start: UInt64 = 0
    for index in offset..<offset + 8 {
      start = start << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
    }
    lines.append(
      Line(
        group: group, start: start, offset: UInt64(offset),
        length: UInt32(truncatingIfNeeded: bytes.count - offset), message: message))
  }

  /// Calls `body` with the entries of the values in their order, some at a time.
  /// - Parameter sequence: The creation sequence of a message, by its number; nil if queries may not return it.
  package func forEachBatch(
    of count: Int, sequence: (UInt32) -> UInt64?, _ body: ([TextKey]) throws -> Void
  ) throws {
    // Messages are numbered in the order of their sequences.
    let sorted = lines.sorted { left, right in
      if left.group != right.group { return left.group < right.group }
      if left.start != right.start { return left.start < right.start }
      if max(left.length, right.length) > 8 {
        let (a, b) = (text(left), text(right))
        if a.lexicographicallyPrecedes(b) { return true }
        if b.lexicographicallyPrecedes(a) { return false }
      } else if left.length != right.length {
        return left.length < right.length
      }
      return left.message < right.message
    }
    var keys: [TextKey] = []
    for line in sorted {
      guard let row = sequence(line.message) else { continue }
      keys.append(TextKey(group: line.group, text: Array(text(line)), row: row))
      if keys.count == count {
        try body(keys)
        keys.removeAll(keepingCapacity: true)
      }
    }
    if !keys.isEmpty { try body(keys) }
  }

  private func text(_ line: Line) -> ArraySlice<UInt8> {
    bytes[Int(line.offset)..<Int(line.offset) + Int(line.length)]
  }

  package mutating func removeAll() {
    lines.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

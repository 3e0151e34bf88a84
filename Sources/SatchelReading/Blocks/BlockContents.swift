internal import SatchelBytes

/// Contents of parts that are stored outside the records of a block, and the previews of texts that are left there. Few
/// blocks have any.
struct BlockContents: Sendable {
  private struct Place: Hashable {
    var row: Int
    var part: Int
  }

  /// Where the preview of a row ends among the bytes of all previews.
  private struct PreviewEnd {
    var row: Int32
    var end: Int32
  }

  private var contents: [Place: [UInt8]] = [:]
  /// The size of the contents in bytes.
  private(set) var bytes = 0
  /// The previews one after another, by ascending row: no array a row.
  private var previews: [UInt8] = []
  private var previewEnds: [PreviewEnd] = []

  init() {}

  subscript(row: Int, part: Int) -> [UInt8]? {
    get { contents[Place(row: row, part: part)] }
    set {
      bytes += newValue?.count ?? 0
      contents[Place(row: row, part: part)] = newValue
    }
  }

  /// Adds the preview of a row, which comes behind all rows that have one. The bytes must be UTF-8.
  mutating func append(preview: UnsafeRawBufferPointer, of row: Int) {
    unsafe previews.append(contentsOf: preview)
    previewEnds.append(PreviewEnd(row: Int32(row), end: Int32(previews.count)))
  }

  /// Returns the preview of a row whose first text is not here; nil if there is none.
  /// - Complexity: O(log rows).
  func preview(_ row: Int) -> String? {
    guard let index = previewIndex(row) else { return nil }
    return unsafe previews.withUnsafeBytes { previews in
      unsafe String(checkedUTF8: UnsafeRawBufferPointer(rebasing: previews[range(ofPreview: index)]))
    }
  }

  private func range(ofPreview index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(previewEnds[index - 1].end))..<Int(previewEnds[index].end)
  }

  private func previewIndex(_ row: Int) -> Int? {
    var low = 0
    var high = previewEnds.count
    while low < high {
      let middle = (low + high) / 2
      if previewEnds[middle].row < row { low = middle + 1 } else { high = middle }
    }
    return low < previewEnds.count && previewEnds[low].row == row ? low : nil
  }

  /// Forgets what belongs to the last row.
  mutating func remove(last row: Int) {
    if !contents.isEmpty { contents = contents.filter { $0.key.row != row } }
    if let last = previewEnds.last, last.row == row {
      previews.removeSubrange(range(ofPreview: previewEnds.count - 1))
      previewEnds.removeLast()
    }
  }

  /// Returns what belongs to a row, as that of row 0.
  func of(_ row: Int) -> BlockContents {
    var own = BlockContents()
    for (place, bytes) in contents where place.row == row { own[0, place.part] = bytes }
    if let index = previewIndex(row) {
      unsafe previews.withUnsafeBytes { previews in
        unsafe own.append(
          preview: UnsafeRawBufferPointer(rebasing: previews[range(ofPreview: index)]), of: 0)
      }
    }
    return own
  }
}

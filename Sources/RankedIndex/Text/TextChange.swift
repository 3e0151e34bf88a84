internal import RankedKeys

/// The insertion or removal of an entry, as it is merged into a tree.
struct TextChange {
  /// The group and the whole text.
  let bytes: [UInt8]
  let row: UInt64
  let isInsertion: Bool

  /// The number of the key's bytes that a node holds.
  var headCount: Int { min(bytes.count, TextLimit.headBytes) }
}

extension RunRows<TextTreeSchema> {
  subscript(_ index: Int) -> TextChange {
    TextChange(
      bytes: unsafe [UInt8](keys.bytes(index)), row: keys.value(index), isInsertion: kind(index) == .insert)
  }
}

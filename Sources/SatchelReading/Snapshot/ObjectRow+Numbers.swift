package import RankedKeys
package import SatchelCoding
internal import SatchelIndexing

extension ObjectRow {
  /// The number by which an index has the object: its creation sequence or its row.
  package var number: UInt64 {
    switch self {
    case .message(let key): key.sequence
    case .conversation(let row), .identity(let row): UInt64(row)
    case .record(let key): key.sequence
    }
  }
}

extension TextKey {
  /// The entry of an object in a declared index.
  package init(declared id: UInt32, _ text: [UInt8], _ object: ObjectRow) {
    self.init(group: DeclaredKey.group(of: id), text: text, row: object.number)
  }
}

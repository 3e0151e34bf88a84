internal import SatchelBytes

/// Of which tree a stored node is, and how far it is filled. Nothing of it is verified.
package struct NodeExtent {
  package let tree: UInt16
  /// The bytes of the node without those that it was filled up with: up to its last byte that is not 0, and the spare ones.
  package let used: Int

  /// - Parameter bytes: A value of the table of nodes. Nil if it is too short for one.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= NodeHeader.byteCount + NodeHeader.spare else { return nil }
    tree = unsafe bytes.bytes.u16(0)
    let filled = unsafe bytes.lastIndex { $0 != 0 } ?? 0
    used = min(bytes.count, max(filled + 1, NodeHeader.byteCount) + NodeHeader.spare)
  }
}

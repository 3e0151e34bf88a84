/// Bytes as the key of a dictionary or a member of a set. An array of bytes is one as well, but is hashed byte by byte.
package struct HashedBytes: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

/// What an engine answered: how many items, and a digest of them in their order. Answers are compared between the
/// engines before any time is taken.
public struct Answer: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline var items: Int
  @usableFromInline var mixed: UInt64

  /// The number of items added.
  public var count: Int { items }
  /// A digest of the items; their order matters.
  public var digest: UInt64 { mixed }

  /// An answer of nothing.
  @inlinable
  public init() {
    items = 0
    mixed = 0xcbf2_9ce4_8422_2325
  }

  /// Adds a number. A few nanoseconds: what is measured is the engine.
  @inlinable
  public mutating func add(_ value: UInt64) {
    items += 1
    mix(value)
  }

  /// Adds a text, by its UTF-8 bytes and their number.
  @inlinable
  public mutating func add(_ text: String) {
    items += 1
    var text = text
    text.withUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      var offset = 0
      while offset + 8 <= raw.count {
        mix(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
        offset += 8
      }
      var rest = UInt64(raw.count) << 56
      while offset < raw.count {
        rest = rest << 8 | UInt64(raw[offset])
        offset += 1
      }
      mix(rest)
    }
  }

  /// One step of the digest: a multiplication and a shift, each of which can be undone, so that no two values meet
  /// by the step alone.
  @inlinable
  mutating func mix(_ value: UInt64) {
    mixed = (mixed ^ value) &* 0x9e37_79b9_7f4a_7c15
    mixed ^= mixed >> 29
  }

  public var description: String {
    "\(count) items, digest \(String(digest, radix: 16))"
  }
}

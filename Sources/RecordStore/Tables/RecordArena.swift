/// Memory for the values of pending records. It only grows: a value stays where it is, unchanged, until nobody uses the
/// arena any more. A value that is replaced or removed keeps its memory.
///
/// It is Sendable because one thread at a time stores values, and others read only what was stored before they were told of it.
/// That thread is the one whose turn it is to write. Of the arena of the newest tail it is one that reads on in the journal, as
/// long as this process is behind what is published: whoever writes has first read all of that.
@safe package final class RecordArena: @unchecked Sendable {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var next = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The bytes of all values, and of their alignment.
  private(set) var byteCount = 0
  /// How far readers may have been told of values.
  private var published = unsafe (
    blocks: 0, next: UnsafeMutableRawBufferPointer(start: nil, count: 0), byteCount: 0
  )

  /// The memory that has the values before its own.
  private let earlier: RecordArena?

  /// - Parameter earlier: Memory whose values are to stay as long as this one; others may add to it.
  package init(after earlier: RecordArena? = nil) {
    self.earlier = earlier
    byteCount = earlier?.byteCount ?? 0
    unsafe published.byteCount = byteCount
  }

  deinit {
    unsafe blocks.forEach { unsafe $0.deallocate() }
  }

  /// Returns room for a value, aligned to eight bytes.
  func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let room = (count + 7) & ~7
    byteCount += room
    if unsafe next.count < room {
      if room > Self.blockBytes / 4 {
        return unsafe UnsafeMutableRawBufferPointer(start: block(room), count: count)
      }
      // A small write gets along with a small block.
      let size = unsafe blocks.isEmpty ? Self.firstBlockBytes : Self.blockBytes
      let bytes = max(size, room)
      unsafe next = UnsafeMutableRawBufferPointer(start: block(bytes), count: bytes)
    }
    defer { unsafe next = UnsafeMutableRawBufferPointer(rebasing: next[room...]) }
    return unsafe UnsafeMutableRawBufferPointer(rebasing: next[..<count])
  }

  /// Keeps a copy of a value.
  func store(_ value: [UInt8]) -> UnsafeRawBufferPointer {
    let room = unsafe reserve(value.count)
    unsafe room.copyBytes(from: value)
    return UnsafeRawBufferPointer(room)
  }

  /// Keeps a copy of a value.
  func store(_ value: RawSpan) -> UnsafeRawBufferPointer {
    let room = unsafe reserve(value.byteCount)
    unsafe value.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    return UnsafeRawBufferPointer(room)
  }

  /// The bytes of the values that were stored since `publish`.
  var unpublishedByteCount: Int { unsafe byteCount - published.byteCount }

  /// Keeps the values so far: readers are told of them. For whoever has stored them.
  package func publish() { unsafe published = (blocks.count, next, byteCount) }

  /// Forgets the values that were stored since `publish`: those of a write that has failed.
  package func forgetUnpublished() {
    for index in unsafe published.blocks..<blocks.count { unsafe blocks[index].deallocate() }
    unsafe blocks.removeSubrange(published.blocks...)
    unsafe next = published.next
    byteCount = unsafe published.byteCount
  }

  private func block(_ bytes: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
    unsafe blocks.append(block)
    return unsafe block
  }

  private static let firstBlockBytes = 8 << 10
  private static let blockBytes = 256 << 10
}

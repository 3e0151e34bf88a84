internal import LMDB
import SatchelBytes

/// What of a text a node does not hold lies in the side table under a number of its own, which the entry (or the
/// separator) alone refers to.
///
///     offset | size | numbers little-endian
///     0      | 8    | checksum: hash of the bytes from 8 on, seeded with the number
///     8      | 2    | tree
///     10     | …    | the text from its 241st byte on
extension TextTreeStore: TextContinuationReader {
  private static var headerBytes: Int { 10 }

  /// The bytes of a continuation, verified: LMDB's own, valid until the transaction changes anything.
  func continuation(_ number: UInt64) throws(TextFault) -> UnsafeRawBufferPointer {
    let found: UnsafeRawBufferPointer?
    do { found = try nodes.transaction.get(continuations, number: number) } catch { throw .lmdb(error) }
    guard let found, found.count > Self.headerBytes else { throw .continuation(number) }
    let bytes = found.bytes
    guard bytes.u16(8) == tree,
      bytes.u64(0) == Checksum.hash(bytes.extracting(8..<bytes.byteCount), seed: number)
    else { throw .continuation(number) }
    return UnsafeRawBufferPointer(rebasing: found[Self.headerBytes...])
  }

  /// Whether a value of the side table says that it is of this tree.
  static func isContinuation(_ value: UnsafeRawBufferPointer, of tree: UInt16) -> Bool {
    value.count >= headerBytes && value.bytes.u16(8) == tree
  }

  func compare(
    _ continuation: UInt64, with target: borrowing RawSpan, from offset: Int
  ) throws(TextFault) -> Int {
    let found = try self.continuation(continuation)
    return found.bytes.compare(target.extracting(offset..<target.byteCount))
  }

  /// Stores a continuation and returns its number.
  func addContinuation(_ bytes: ArraySlice<UInt8>) throws(TextFault) -> UInt64 {
    guard let writer = nodes.writer else { throw .node }
    let number = nodes.nextContinuation
    nodes.nextContinuation += 1
    var value = ByteWriter(capacity: Self.headerBytes + bytes.count)
    value.u64(0)
    value.u16(tree)
    value.bytes.append(contentsOf: bytes)
    let hash = Checksum.hash(value.bytes.span.bytes.extracting(8..<value.count), seed: number)
    value.set(u64: hash, at: 0)
    var failure: LMDBError?
    value.bytes.withUnsafeBytes { source in
      do throws(LMDBError) { try writer.put(continuations, number: number, source) } catch { failure = error }
    }
    if let failure { throw .lmdb(failure) }
    return number
  }

  /// Removes a continuation that is known to exist.
  func freeContinuation(_ number: UInt64) throws(TextFault) {
    guard let writer = nodes.writer else { throw .node }
    let existed: Bool
    do { existed = try writer.delete(continuations, number: number) } catch { throw .lmdb(error) }
    if !existed { throw .continuation(number) }
  }
}

import SatchelBytes
internal import StoreFiles

/// The continuations of a tree's long texts: see `TextContinuation`.
extension TextTreeStore: TextContinuationReader {
  /// Returns the verified bytes of a continuation. They are LMDB's own, valid until the transaction changes anything.
  func continuation(_ number: UInt64) throws(TextFault) -> UnsafeRawBufferPointer {
    let found: UnsafeRawBufferPointer?
    do { unsafe found = try nodes.transaction.get(continuations, number: number) } catch {
      throw .lmdb(error)
    }
    guard let found = unsafe found,
      let text = unsafe TextContinuation.decode(found, number: number, tree: tree)
    else {
      throw .continuation(number)
    }
    return unsafe text
  }

  func compare(
    _ continuation: UInt64, with target: borrowing RawSpan, from offset: Int
  ) throws(TextFault) -> Int {
    let found = unsafe try self.continuation(continuation)
    return unsafe found.bytes.compare(target.extracting(offset..<target.byteCount))
  }

  /// Stores a continuation and returns its number.
  func addContinuation(_ bytes: ArraySlice<UInt8>) throws(TextFault) -> UInt64 {
    guard let writer = nodes.writer, nodes.nextContinuation < .max else { throw .node }
    let number = nodes.nextContinuation
    nodes.nextContinuation += 1
    let value = TextContinuation.encode(bytes, number: number, tree: tree)
    var failure: LMDBError?
    unsafe value.withUnsafeBytes { source in
      do throws(LMDBError) { unsafe try writer.put(continuations, number: number, source) } catch {
        failure = error
      }
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

extension PageAudit {
  /// Reads a record of the free list. Its key is the number of the transaction that freed the pages; its value is their
  /// count and their numbers, the largest first. From these numbers LMDB takes the pages that it writes next, and it
  /// checks none of them.
  func readFreeList(_ key: UnsafeRawBufferPointer, _ value: CheckedPage.Value, _ name: String) {
    let transaction = unsafe key.loadUnaligned(as: UInt64.self)
    let record = "the record of transaction \(transaction)"
    guard transaction >= 1, transaction <= roots.transaction else {
      return note(name, nil, "\(record): the last transaction is \(roots.transaction)")
    }
    switch value {
    case .tree: break
    case .here(let bytes): unsafe readNumbers(bytes, record, name)
    case .overflow(let page, let count):
      // A value longer than the file was refused already, together with its node.
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
      defer { unsafe bytes.deallocate() }
      do throws(PageFault) {
        unsafe try file.read(page, offset: CheckedPage.header, into: bytes)
        unsafe readNumbers(UnsafeRawBufferPointer(bytes), record, name)
      } catch {
        note(name, error)
      }
    }
  }

  private func readNumbers(_ bytes: UnsafeRawBufferPointer, _ record: String, _ name: String) {
    guard bytes.count >= 8, bytes.count % 8 == 0 else {
      return note(name, nil, "\(record): it has \(bytes.count) bytes")
    }
    let room = bytes.count / 8 - 1
    let count = unsafe bytes.loadUnaligned(as: UInt64.self)
    // LMDB makes room for numbers and may then have none: such a record has the count 0.
    guard count == room || count == 0 else {
      return note(name, nil, "\(record): it says \(count) pages and has room for \(room)")
    }
    guard count > 0 else { return }
    var last = roots.limit
    for index in 1...room {
      let page = unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
      guard page >= 2, page < roots.limit else {
        note(name, page, "\(record): page \(page) is no page of the store, which has \(roots.limit)")
        continue
      }
      if page >= last, !free.contains(page) {
        note(name, page, "\(record): page \(page) follows page \(last), and should come before it")
      }
      last = page
      takeFree(page, name)
    }
  }
}

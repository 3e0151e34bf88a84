internal import SatchelCoding
internal import SatchelModel
package import SatchelReading

/// What becomes of references to what a write deletes.
extension Writer {
  /// Notes that an object is gone, if a declared field may refer to it.
  /// - Parameter names: All names by which it was found.
  func noteRemoval(of type: String, _ names: @autoclosure () -> [String]) throws {
    if try mayBeReferred(to: type) { removed.add(type, names: names()) }
  }

  /// Notes that the messages of a conversation are gone.
  func noteRemoval(ofMessagesOf row: UInt32, count: UInt64) throws {
    if try count > 0 && mayBeReferred(to: Reference.messages) { removed.add(messagesOf: row, count: count) }
  }

  private func mayBeReferred(to type: String) throws -> Bool {
    try tables.seal[.recordTypes].count > 0 && flushed.read { try $0.mayBeReferred(to: type) }
  }

  /// Does to the records that refer to what is gone what the actions of their fields are.
  /// - Throws: ``SatchelError`` `referenced`. Then nothing of it has changed, and the write is to be discarded.
  func settleReferences() throws {
    guard !removed.isEmpty else { return }
    let consequences = try read { try $0.consequences(of: removed) }
    removed = RemovedObjects()
    try changing {
      try delete(consequences.deleted)
      for (key, fields) in consequences.nullified { try remove(fields, of: key) }
    }
  }

  /// Returns what the write has removed, which is then for a later write to look at: of an import into a new store, the last one.
  package func takeRemoved() throws -> RemovedObjects {
    var taken = removed
    removed = RemovedObjects()
    if !taken.isEmpty { try read { try taken.nameMessages(in: $0) } }
    return taken
  }
}

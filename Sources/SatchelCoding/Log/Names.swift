internal import SatchelModel
import SatchelText

/// The names by which an object is found: its identifier and, if that is another text, its remote identifier. Messages and
/// announcements have one space of names, conversations another.
package func names(_ identifier: String, _ remoteID: String?) -> [String] {
  guard let remoteID, !UTF8Order.areEqual(remoteID, identifier) else { return [identifier] }
  return [identifier, remoteID]
}

extension StoredMessage {
  package var names: [String] { SatchelCoding.names(identifier, remoteID) }

  /// The names as the log has them.
  package var nameBytes: [[UInt8]] { names.map { Array($0.utf8) } }
}

extension StoredConversation {
  package var names: [String] { SatchelCoding.names(identifier, remoteID) }
}

private func names(_ identifier: [UInt8], _ remoteID: [UInt8]?) -> [String] {
  names(String(decoding: identifier, as: UTF8.self), remoteID.map { String(decoding: $0, as: UTF8.self) })
}

import SatchelCoding
import SatchelModel

/// The names of the messages of an import that the store's user has deleted, as hashes of 64 bits: what other lines say of these is not
/// taken.
struct DeletedMessageNames {
  private var hashes: Set<UInt64> = []

  mutating func insert(_ draft: MessageDraft) {
    for name in [draft.identifier, draft.remoteID].compactMap(\.self) {
      hashes.insert(Self.hash(name.rawValue))
    }
  }

  /// Whether a value refers to one of them.
  func contains(_ value: MetadataValue?) -> Bool {
    guard !hashes.isEmpty, let reference = value?.referenceValue, reference.type == Reference.messages
    else { return false }
    return hashes.contains(Self.hash(reference.name))
  }

  private static func hash(_ name: String) -> UInt64 { KeyWords.identifierHash(Array(name.utf8)) }
}

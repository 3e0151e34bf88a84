/// The dictionaries. Each gives its entries small numbers, which records and indexes hold instead of the entries.
///
/// A number is never reused and an entry never removed, so a number keeps its meaning for ever.
package enum DictionaryKind: UInt8, Sendable, Hashable, CaseIterable {
  /// User ids.
  case users = 0
  /// MIME types of parts.
  case mimeTypes = 1
  /// Metadata key paths, keys joined as `MetadataPath` joins them.
  case metadataPaths = 2
  /// Sets of MIME types, as the types' ids.
  case typeSets = 3
  /// Sets of participants, as the users' ids.
  case participantSets = 4

  /// True if an entry is a set of ids rather than a text.
  package var holdsSets: Bool { self == .typeSets || self == .participantSets }
}

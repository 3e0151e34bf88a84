/// The dictionaries: each gives its entries small numbers, which records and indexes hold in their place.
///
/// A number is never given twice and an entry never removed, so that a number means the same for ever.
package enum DictionaryKind: UInt8, Sendable, Hashable, CaseIterable {
  /// User ids.
  case users = 0
  /// MIME types of parts.
  case mimeTypes = 1
  /// Metadata key paths, keys joined by dots.
  case metadataPaths = 2
  /// Sets of MIME types, as their ids.
  case typeSets = 3
  /// Sets of participants, as their users' ids.
  case participantSets = 4

  /// True when an entry is a set of ids rather than a text.
  package var holdsSets: Bool { self == .typeSets || self == .participantSets }
}

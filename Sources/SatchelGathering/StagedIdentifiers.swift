internal import SatchelCoding
internal import SatchelModel
import SatchelText

/// Where the objects of one kind lie that an import has staged, by identifier.
///
/// No index has the identifiers of staged objects, so their hashes are kept here, 16 bytes per message and some slack.
/// The staged record decides whether an object has an identifier or only its hash.
package struct StagedIdentifiers {
  private var first: [UInt64: UInt64] = [:]
  /// Objects whose identifier has the hash of an identifier staged earlier.
  private var later: [ByteString: UInt64] = [:]
  private var laterCounts: [UInt64: Int] = [:]

  package init() {}

  package var isEmpty: Bool { first.isEmpty }

  /// Returns how many staged identifiers have a hash.
  package func count(ofHash hash: UInt64) -> Int {
    (first[hash] == nil ? 0 : 1) + (laterCounts.isEmpty ? 0 : laterCounts[hash] ?? 0)
  }

  package mutating func insert(_ identifier: String, hash: UInt64, at location: UInt64) {
    if first[hash] == nil {
      first[hash] = location
    } else {
      later[ByteString(identifier)] = location
      laterCounts[hash, default: 0] += 1
    }
  }

  /// Returns where the object of an identifier lies.
  /// - Parameter has: Whether the object at a location has that identifier.
  package func locate(
    _ identifier: String, hash: UInt64, where has: (UInt64) throws -> Bool
  ) rethrows -> UInt64? {
    if !later.isEmpty, let location = later[ByteString(identifier)] { return location }
    guard let location = first[hash], try has(location) else { return nil }
    return location
  }
}

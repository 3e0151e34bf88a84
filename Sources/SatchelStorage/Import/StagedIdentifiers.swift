internal import SatchelCoding
internal import SatchelModel

/// Where the objects of one kind lie that an import has staged, by identifier.
///
/// No index has the identifiers of staged objects, so their hashes are kept here, 16 bytes per message and some slack.
/// The staged record decides whether an object has an identifier or only its hash.
struct StagedIdentifiers<Place> {
  private var first: [UInt64: Place] = [:]
  /// Objects whose identifier has the hash of an identifier staged earlier.
  private var later: [ByteString: Place] = [:]
  private var laterCounts: [UInt64: Int] = [:]

  var isEmpty: Bool { first.isEmpty }

  /// Returns how many staged identifiers have a hash.
  func count(ofHash hash: UInt64) -> Int {
    (first[hash] == nil ? 0 : 1) + (laterCounts.isEmpty ? 0 : laterCounts[hash] ?? 0)
  }

  mutating func insert(_ identifier: String, hash: UInt64, at place: Place) {
    if first[hash] == nil {
      first[hash] = place
    } else {
      later[ByteString(identifier)] = place
      laterCounts[hash, default: 0] += 1
    }
  }

  /// Returns where the object of an identifier lies.
  /// - Parameter has: Whether the object at a place has that identifier.
  func locate(_ identifier: String, hash: UInt64, where has: (Place) throws -> Bool) rethrows -> Place? {
    if !later.isEmpty, let place = later[ByteString(identifier)] { return place }
    guard let place = first[hash], try has(place) else { return nil }
    return place
  }
}

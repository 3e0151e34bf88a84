/// What a verification has looked at and found.
package struct VerificationReport: Sendable {
  /// One thing that is wrong.
  package struct Fault: Sendable, Hashable {
    /// The table or index.
    package let place: String
    /// The key there, for people.
    package let key: String
    /// What is wrong.
    package let finding: String
  }

  /// Records and pieces of contents that were read and whose checksums were computed.
  package internal(set) var records = 0
  /// Entries of all indexes.
  package internal(set) var indexEntries = 0
  package internal(set) var nodes = 0
  /// The number of faults.
  package private(set) var faultCount = 0
  /// The first of them.
  package private(set) var faults: [Fault] = []
  /// Objects that an import has staged: in the tables, and in no index yet.
  package internal(set) var staged = 0
  /// Deletions whose records wait in the purge queue.
  package internal(set) var purges = 0

  /// The most faults that are kept.
  package static let maximumFaults = 1000

  package var isSound: Bool { faultCount == 0 }

  mutating func add(_ place: String, _ key: String, _ finding: String) {
    faultCount += 1
    if faults.count < Self.maximumFaults {
      faults.append(Fault(place: place, key: key, finding: finding))
    }
  }
}

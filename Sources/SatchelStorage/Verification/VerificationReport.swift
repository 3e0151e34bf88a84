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
    /// Whether it is wrong in what follows from the records, so that a repair makes it anew.
    package let isDerived: Bool
  }

  /// Records and pieces of contents that were read and whose checksums were computed.
  package internal(set) var records = 0
  /// Entries of all indexes.
  package internal(set) var indexEntries = 0
  package internal(set) var nodes = 0
  /// Pages of the file that were found in their place: in use, or on the free list.
  package internal(set) var pages = 0
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
  /// The number of faults that a repair cannot mend: of records, of what they hold, of the pages that they lie in.
  package private(set) var recordFaultCount = 0

  /// Notes a fault of the records, or of something that the format has nowhere else.
  mutating func add(_ place: String, _ key: String, _ finding: String) {
    recordFaultCount += 1
    add(Fault(place: place, key: key, finding: finding, isDerived: false))
  }

  /// Notes a fault of what follows from the records.
  mutating func addDerived(_ place: String, _ key: String, _ finding: String) {
    add(Fault(place: place, key: key, finding: finding, isDerived: true))
  }

  private mutating func add(_ fault: Fault) {
    faultCount += 1
    // A fault of the records decides what can be done, and must not be lost behind thousands of others.
    if faults.count < Self.maximumFaults {
      faults.append(fault)
    } else if !fault.isDerived, let index = faults.lastIndex(where: \.isDerived) {
      faults[index] = fault
    }
  }
}

/// What a verification has checked and found.
package struct VerificationReport: Sendable {
  /// One thing that is wrong.
  package struct Fault: Sendable, Hashable {
    /// The table or index of the fault.
    package let location: String
    /// The key in that table or index, in readable form.
    package let key: String
    /// What is wrong.
    package let finding: String
    /// Whether the fault is in data that follows from the records, so that a repair can rebuild it.
    package let isDerived: Bool
  }

  /// The number of records and pieces of contents that were read and whose checksums were computed.
  package internal(set) var records = 0
  /// The number of entries of all indexes.
  package internal(set) var indexEntries = 0
  package internal(set) var nodes = 0
  /// The number of pages of the file that were accounted for: in use, or on the free list.
  package internal(set) var pages = 0
  /// The number of faults.
  package private(set) var faultCount = 0
  /// The first faults, at most `maximumFaults`.
  package private(set) var faults: [Fault] = []
  /// The number of objects that imports have staged: they are in the tables, and in no index yet.
  package internal(set) var staged = 0
  /// The number of deletions whose records wait in the purge queue.
  package internal(set) var purges = 0

  /// The most faults that are kept.
  package static let maximumFaults = 1000

  package var isSound: Bool { faultCount == 0 }
  /// The number of faults that a repair cannot mend: faults of records, of what they hold, and of the pages that hold
  /// them.
  package private(set) var recordFaultCount = 0

  /// Notes a fault of the records, or of other data that the format stores only once.
  mutating func add(_ location: String, _ key: String, _ finding: String) {
    recordFaultCount += 1
    add(Fault(location: location, key: key, finding: finding, isDerived: false))
  }

  /// Notes a fault of data that follows from the records.
  mutating func addDerived(_ location: String, _ key: String, _ finding: String) {
    add(Fault(location: location, key: key, finding: finding, isDerived: true))
  }

  private mutating func add(_ fault: Fault) {
    faultCount += 1
    // A fault of the records decides whether a repair is possible. It must not be lost among thousands of other faults.
    if faults.count < Self.maximumFaults {
      faults.append(fault)
    } else if !fault.isDerived, let index = faults.lastIndex(where: \.isDerived) {
      faults[index] = fault
    }
  }
}

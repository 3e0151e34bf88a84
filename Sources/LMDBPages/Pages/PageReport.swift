/// What a check of a store's pages has found.
package struct PageReport: Sendable {
  /// One thing that is wrong.
  package struct Fault: Sendable, Hashable, CustomStringConvertible {
    /// The tree: "free list", "main table", "database messages"; "pages" for all trees together; or "meta page".
    package let place: String
    /// The page at fault, if a page can be blamed.
    package let page: UInt64?
    /// What is wrong, with the page's number.
    package let finding: String
    /// The `errno` of a read that failed; 0 if the bytes are wrong.
    package var systemError: Int32 = 0

    package var description: String { "\(place): \(finding)" }
  }

  /// The first faults.
  package private(set) var faults: [Fault] = []
  /// The number of all faults.
  package private(set) var faultCount = 0
  /// Pages in use, including the two meta pages.
  package internal(set) var pages = 0
  /// Pages on the free list.
  package internal(set) var freePages = 0

  /// Whether all that is wrong is in databases that may be given up.
  package internal(set) var mayGiveUp = false

  /// The largest number of faults that are kept.
  package static let maximumFaults = 100

  package var isSound: Bool { faultCount == 0 }

  mutating func add(_ fault: Fault) {
    faultCount += 1
    if faults.count < Self.maximumFaults { faults.append(fault) }
  }
}

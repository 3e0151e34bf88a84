import Foundation

/// What a store would hold, in dictionaries: the state that lines of the interchange format make, and nothing derived
/// from it. `snapshot` derives what queries see.
final class ReferenceModel {
  let user: ByteString
  var identities: [ByteString: ModelIdentity] = [:]
  var conversations: [ByteString: ModelConversation] = [:]
  /// Messages and announcements: they share one space of identifiers.
  var messages: [ByteString: ModelMessage] = [:]
  var recordTypes: [ByteString: ModelRecordType] = [:]
  /// The names of the record types, in the order of their declarations.
  var recordTypeOrder: [ByteString] = []
  var records: [ModelReference: ModelRecord] = [:]
  /// What the write has deleted, by each of its names; and the records that came or changed afterwards.
  var removed: Set<ModelReference> = []
  var kept: Set<ModelReference> = []
  /// The records that have lost a field because of what was deleted: the store says when that was.
  var nullified: Set<ModelReference> = []
  private var nextCreation = 0
  private var cachedSnapshot: Snapshot?

  init(user: ByteString) {
    self.user = user
  }

  /// What queries see now. Built on first use after a change, in time proportional to everything there is.
  var snapshot: Snapshot {
    if let cachedSnapshot { return cachedSnapshot }
    let snapshot = Snapshot(self)
    cachedSnapshot = snapshot
    return snapshot
  }

  func takeCreation() -> Int {
    nextCreation += 1
    return nextCreation
  }

  func invalidateSnapshot() {
    cachedSnapshot = nil
  }
}

extension ReferenceModel {
  /// All that a write changes.
  struct State {
    fileprivate let identities: [ByteString: ModelIdentity]
    fileprivate let conversations: [ByteString: ModelConversation]
    fileprivate let messages: [ByteString: ModelMessage]
    fileprivate let recordTypes: [ByteString: ModelRecordType]
    fileprivate let recordTypeOrder: [ByteString]
    fileprivate let records: [ModelReference: ModelRecord]
  }

  /// The state between two writes, to which a write that is refused goes back.
  var state: State {
    get {
      State(
        identities: identities, conversations: conversations, messages: messages, recordTypes: recordTypes,
        recordTypeOrder: recordTypeOrder, records: records)
    }
    set {
      (identities, conversations, messages) = (newValue.identities, newValue.conversations, newValue.messages)
      (recordTypes, recordTypeOrder) = (newValue.recordTypes, newValue.recordTypeOrder)
      records = newValue.records
      (removed, kept) = ([], [])
      invalidateSnapshot()
    }
  }
}

extension ReferenceModel {
  struct RejectedLine: Sendable, Equatable {
    /// Counted from 1.
    let number: Int
    let reason: String
  }

  /// Applies each line in order, and what follows from all of them, as an import that skips invalid lines does, and gives those it skipped.
  @discardableResult
  func load(_ bytes: [UInt8]) -> [RejectedLine] {
    var rejected: [RejectedLine] = []
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty { continue }
      do {
        try apply(line)
      } catch let error as LineError {
        rejected.append(RejectedLine(number: number, reason: error.reason))
      } catch {
        rejected.append(RejectedLine(number: number, reason: "\(error)"))
      }
    }
    do { try settle(isImport: true) } catch { preconditionFailure("\(error)") }
    return rejected
  }

  convenience init(user: String, lines: String) {
    self.init(user: ByteString(user))
    load(Array(lines.utf8))
  }
}

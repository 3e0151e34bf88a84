internal import CommitEngine
internal import Journal
internal import LMDB
internal import RecordStore
internal import SatchelCoding
internal import SatchelStorage

/// What a salvage takes from the journal: the records of the commits that `data.mdb` does not have.
///
/// Where the seal is whole and in its tree, it says which commits these are. Where it is lost, the last entry of the change log
/// that is in its tree says it, as far as anything does; records of earlier commits then only take the place of records that
/// are lost.
struct SalvagedJournal {
  /// Nil if there is no file, or if it cannot be read.
  private let bytes: [UInt8]?
  /// How many bytes of it the disk does not give.
  private let unreadable: Int
  private let failure: String?
  /// How far the journal has come, by the head that lies beside it, and whose it is.
  private let told: (point: JournalPoint, owner: JournalOwner)?

  /// Reads the files, before anything else is read: if a process goes on writing, `data.mdb` is not older than they are, and the journal
  /// not older than its head.
  init(_ directory: String) {
    let place = SystemPlace(directory)
    told = (try? place.openHead(.reading)).flatMap { head in
      guard let owner = head.owner else { return nil }
      // Also if it is a copy, as in a directory that was put aside to work on.
      return head.told(of: owner, boot: place.boot).map { ($0, owner) }
    }
    do {
      (bytes, unreadable) = try JournalFiles.openFile(place).map { try $0.readableContents() } ?? (nil, 0)
      failure = nil
    } catch {
      (bytes, unreadable) = (nil, 0)
      failure = "\(error)"
    }
  }

  /// What was taken, and what was not.
  struct Result {
    /// The commits that were taken.
    var commits: [ClosedRange<UInt64>] = []
    /// The commits that are known to be lost.
    var lostCommits: [ClosedRange<UInt64>] = []
    /// Whether commits are lost, or may be, behind the last one that is saved: then nobody knows what the store had in the end.
    var isEndLost = false
    var losses: [String] = []

    mutating func lose(_ range: ClosedRange<UInt64>) {
      lostCommits.append(range)
      losses.append("journal: commits \(range.lowerBound) to \(range.upperBound) are lost")
    }

    /// Says that commits are lost behind the last one that is saved.
    mutating func loseEnd(_ range: ClosedRange<UInt64>) {
      isEndLost = true
      lose(range)
    }

    /// Says why commits may be lost behind the last one that is saved.
    mutating func loseEnd(_ reason: String) {
      isEndLost = true
      losses.append("journal: " + reason)
    }

    mutating func take(_ range: ClosedRange<UInt64>) {
      if let last = commits.last, last.upperBound + 1 == range.lowerBound {
        commits[commits.count - 1] = last.lowerBound...range.upperBound
      } else {
        commits.append(range)
      }
    }
  }

  /// Adds the records of the commits to those that were found in `data.mdb`, which must have been flushed.
  func take(into records: SalvagedRecords) throws -> Result {
    var result = Result()
    let known = try records.read { try Known($0) }
    if let failure { result.losses.append("journal: it cannot be read: \(failure)") }
    let survey = bytes.map { JournalSurvey($0, of: known.owner) }
    guard let survey, !survey.isEmpty, survey.flaw == nil else {
      if let flaw = survey?.flaw { result.losses.append(flaw.text) }
      guard let seal = known.seal, seal.isJournalInUse else { return result }
      result.isEndLost = true
      if failure == nil, survey?.flaw == nil {
        let what = survey == nil ? "missing" : "empty"
        result.losses.append("journal: it is \(what), with what was committed after commit \(seal.commit)")
      }
      let end = told(by: known)
      if end > seal.commit { result.loseEnd(seal.commit + 1...end) }
      return result
    }
    if unreadable > 0 { result.losses.append("journal: the disk does not give \(unreadable) bytes of it") }
    if let seal = known.seal {
      let isOther =
        seal.isJournalInUse
        ? !survey.points.contains(seal.point)
          && survey.points.contains { $0.sequence == seal.commit }
        : survey.records.contains { $0.end.sequence > seal.commit }
      guard !isOther else {
        result.isEndLost = seal.isJournalInUse
        result.losses.append(
          "journal: its commits are not taken: they do not follow commit \(seal.commit) of data.mdb, but are of another time"
        )
        return result
      }
      guard seal.isJournalInUse else { return result }
    }
    try add(survey, after: known, to: records, &result)
    try records.flush()
    return result
  }

  private func add(
    _ survey: JournalSurvey, after known: Known, to records: SalvagedRecords, _ result: inout Result
  ) throws {
    var order: UInt32 = 0
    var last = known.commit
    for record in survey.records {
      let isLater = record.end.sequence > known.commit
      guard isLater || known.seal == nil else { continue }
      do {
        try record.forEachMember { _, member in
          guard member.byteCount > 0 else { return }
          // The indexes are made anew, so that it does not matter whether their changes fit.
          var changes = CommitBuffer(in: RecordArena())
          _ = try changes.add(member)
          try add(changes, isLater: isLater, &order, to: records)
        }
      } catch let error as RecordError {
        result.losses.append("journal: commits \(record.first) to \(record.end.sequence): \(error)")
        continue
      }
      guard isLater else { continue }
      if record.first > last + 1 { result.lose(last + 1...record.first - 1) }
      last = record.end.sequence
      result.take(record.first...last)
    }
    loseEnd(of: survey, after: last, known, &result)
  }

  /// Says what is known to have been behind the last commit that was found, and what may have been. A journal that an opening refuses
  /// may have lost its end with the rest, without a trace: then only its head shows that it has not.
  private func loseEnd(
    of survey: JournalSurvey, after last: UInt64, _ known: Known, _ result: inout Result
  ) {
    let told = told(by: known)
    let end = max(last, survey.reached, told)
    if end > last { result.loseEnd(last + 1...end) }
    for commit in survey.broken.sorted() where commit >= last {
      result.loseEnd("what was begun behind commit \(commit) is damaged, or was never finished")
    }
    guard told != end, let owner = known.owner, let seal = known.seal, let bytes,
      let refusal = JournalReader.refusal(of: bytes, owner, after: seal.point, last: seal.lastPoint)
    else { return }
    result.loseEnd("what it had behind commit \(end), if anything, is lost: \(refusal.found)")
  }

  /// The last commit that the journal has had by what the head says; 0 if that says nothing.
  private func told(by known: Known) -> UInt64 {
    guard let told, known.owner == nil || told.owner == known.owner else { return 0 }
    return told.point.sequence
  }

  private func add(
    _ changes: CommitBuffer, isLater: Bool, _ order: inout UInt32, to records: SalvagedRecords
  ) throws {
    order += 1
    for database in RecordDatabase.allCases {
      for change in changes[database] {
        let value = unsafe change.value.map { unsafe Array($0) }
        try records.add(change.keyBytes, value, isLater ? .later(order) : .earlier(order))
      }
    }
    if isLater { try records.add(ObjectKey.seal.bytes.array, changes.seal().encode(), .later(order)) }
  }

  /// What `data.mdb` says of the journal.
  private struct Known {
    let owner: JournalOwner?
    /// Nil if it was not found in its tree.
    let seal: Seal?
    /// The last commit that `data.mdb` is known to have.
    let commit: UInt64

    init(_ view: SalvagedRecords.View) throws {
      let header = unsafe try view.record(ObjectKey.header.bytes).flatMap { record in
        unsafe try? StoreHeader(record.bytes)
      }
      owner = header.map { JournalOwner(high: $0.uuid.high, low: $0.uuid.low) }
      seal = unsafe try view.record(ObjectKey.seal.bytes).flatMap { record in
        unsafe record.isCertain ? try? Seal(record.bytes) : nil
      }
      if let seal {
        commit = seal.commit
        return
      }
      var last: UInt64 = 0
      try view.forEachObject(from: .changeLog(commit: 0)) { key, _, isCertain in
        guard case .changeLog(let commit) = key else { return false }
        if isCertain { last = max(last, commit) }
        return true
      }
      commit = last
    }
  }
}

extension JournalSurvey.Flaw {
  /// What a person is told.
  fileprivate var text: String {
    switch self {
    case .otherStore(let owner): "journal: it is not read: it belongs to the store \(owner)"
    case .version(let number): "journal: it is not read: a newer program wrote it, in version \(number)"
    case .unknownStore: "journal: its header is lost, and so is that of data.mdb, so that it cannot be read"
    }
  }
}

internal import SatchelCoding
internal import SatchelModel
internal import SatchelWriting

/// Checks the change log and its consumers.
extension Verifier {
  mutating func check(_ log: Seal.Log) {
    let sealed = snapshot.seal.log
    func text(_ log: Seal.Log) -> String {
      "\(log.count) entries of \(log.bytes) bytes from commit \(log.first) on"
    }
    if log != sealed {
      report.addDerived("changeLog", "", "the seal says \(text(sealed)), and there are \(text(log))")
    }
    // A log whose entries have all been trimmed begins at the commit after the last one.
    if sealed.first > snapshot.seal.commit &+ 1 {
      report.addDerived("changeLog", "", "it begins at \(sealed.first), after the last commit")
    }
    if log.count > LogTable.maximumEntries || log.bytes > LogTable.maximumBytes && log.count > 1 {
      report.addDerived(
        "changeLog", "", "its \(log.count) entries of \(log.bytes) bytes should have been trimmed")
    }
  }

  /// Checks that every number in an entry has already been given: readers look up what it stands for.
  mutating func check(_ entry: ChangeLogEntry, of commit: UInt64) {
    let seal = snapshot.seal
    func isGiven(_ object: ObjectRow) -> Bool {
      switch object {
      case .conversation(let row): row < seal.nextConversation
      case .identity(let row): row < seal.nextIdentity
      case .message(let key):
        key.sequence < seal.nextSequence && (key.isAnnouncement || key.conversation < seal.nextConversation)
      case .record(let key): key.sequence < seal.nextSequence
      }
    }
    func isGiven(_ value: BeforeValue) -> Bool {
      guard case .word(let word) = value.value, let kind = value.property.dictionary else { return true }
      return word >= 0 && word < Int64(seal[nextID: kind])
    }
    for change in entry.changes {
      if !isGiven(change.object) {
        report.addDerived(
          "changeLog", "\(commit)", "\(change.object) has a number that has not been given yet")
      }
      if !change.before.allSatisfy(isGiven)
        || !change.metadata.allSatisfy({ $0.path < seal[nextID: .metadataPaths] })
        || !change.recipients.allSatisfy({ $0.user < seal[nextID: .users] })
        || !(change.contents?.parts ?? []).allSatisfy({ $0.mimeType < seal[nextID: .mimeTypes] })
      {
        report.addDerived("changeLog", "\(commit)", "\(change.object) had a number that no dictionary has")
      }
    }
    for range in entry.ranges {
      let isGiven =
        switch range.scope {
        case .conversation(let row): row < seal.nextConversation
        case .importNumber(let number): number < seal.nextImport
        }
      if !isGiven || range.sequences.upperBound >= seal.nextSequence {
        report.addDerived("changeLog", "\(commit)", "a range has numbers that have not been given yet")
      }
    }
    if let last = entry.added.last, last.upperBound >= seal.nextSequence {
      report.addDerived(
        "changeLog", "\(commit)", "an import added messages with numbers that have not been given yet")
    }
  }

  mutating func check(consumer id: UInt32, _ entry: ConsumerEntry) {
    if id >= snapshot.seal.nextConsumer {
      report.addDerived("consumers", "\(id)", "its number has not been given yet")
    }
    if entry.readCommit > snapshot.seal.commit {
      report.addDerived(
        "consumers", "\(id)", "it has read commit \(entry.readCommit), which is after the last one")
    }
    if !consumerNames.insert(entry.name).inserted {
      report.add("consumers", "\(id)", "another one has its name")
    }
  }
}

extension LoggedProperty {
  /// The dictionary whose numbers are the property's values; nil for other properties.
  fileprivate var dictionary: DictionaryKind? {
    switch self {
    case .sender, .lastSender, .owner, .updatedBy: .users
    case .typeSet: .typeSets
    case .participantSet: .participantSets
    default: nil
    }
  }
}

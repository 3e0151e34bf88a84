internal import SatchelCoding

/// The change log and those who read it.
extension Verifier {
  mutating func check(_ log: Seal.Log) {
    let sealed = snapshot.seal.log
    if log != sealed { report.add("changeLog", "", "the seal says \(sealed), and there is \(log)") }
    // The commit after the last one is where a log begins of which everything has been trimmed.
    if sealed.first > snapshot.seal.commit &+ 1 {
      report.add("changeLog", "", "it begins at \(sealed.first), after the last commit")
    }
    if log.count > Writer.maximumLogEntries || log.bytes > Writer.maximumLogBytes && log.count > 1 {
      report.add("changeLog", "", "its \(log.count) entries of \(log.bytes) bytes should have been trimmed")
    }
  }

  mutating func check(consumer id: UInt32, _ entry: ConsumerEntry) {
    if id >= snapshot.seal.nextConsumer {
      report.add("consumers", "\(id)", "its number has not been given yet")
    }
    if entry.readCommit > snapshot.seal.commit {
      report.add("consumers", "\(id)", "it has read commit \(entry.readCommit), which is after the last one")
    }
    if !consumerNames.insert(entry.name).inserted {
      report.add("consumers", "\(id)", "another one has its name")
    }
  }
}

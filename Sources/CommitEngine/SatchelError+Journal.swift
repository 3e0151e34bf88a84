package import Journal
package import SatchelModel

/// What is told of a journal that cannot be used.
extension SatchelError {
  /// Returns the error for what is beside a `data.mdb` that has all commits itself: who moves it away loses nothing. Others are passed on.
  package static func needless(_ error: JournalError, store: String) -> any Error {
    let context = ["store": store, "found": error.description]
    switch error.code {
    case .invalid:
      return SatchelError(
        .foreignJournal,
        "What is under the name of the store's journal is none: find out who made it, and move it away",
        context)
    case .otherStore, .gap, .otherChain, .older:
      return SatchelError(.foreignJournal, needlessJournal, context)
    default: return error
    }
  }

  package static let damagedJournal: StaticString =
    "The journal is damaged, and commits of it cannot be read: keep the files; put an intact copy of the journal back, take what is left with satchel salvage, or give the rest up with verify --repair"

  package static let foreignJournal: StaticString =
    "The journal is not that of the file beside it, which needs its own: put data.mdb and journal of one time together; satchel salvage takes what data.mdb has"

  package static let needlessJournal: StaticString =
    "The journal is not that of the file beside it: put data.mdb and journal of one time together, or move the journal away"
}

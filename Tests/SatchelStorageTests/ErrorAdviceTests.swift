import Journal
import LMDBPages
import RankedIndex
import SatchelIndexing
import SatchelModel
import SatchelStorage
import StoreFiles
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the errors of the layers below become, and what they ask their reader to do.
@Suite struct ErrorAdviceTests {
  private func translated(_ error: any Error) throws -> SatchelError {
    try #require(SatchelError.translating(error, store: "/store") as? SatchelError)
  }

  private func translated(_ code: LMDBError.Code) throws -> SatchelError {
    try translated(LMDBError(code, operation: "read", path: "/store"))
  }

  private func translated(_ code: JournalError.Code) throws -> SatchelError {
    try translated(JournalError(code, operation: "read", path: "/store/journal"))
  }

  /// Whoever reads that a store has to be restored may throw away one that is whole.
  @Test func onlyDamageAsksForARestore() throws {
    let codes: [LMDBError.Code] = [
      .mapFull, .diskFull, .corrupted, .invalid, .versionMismatch, .panic, .writerBusy(process: 7),
      .openerBusy(process: 7), .readAlone, .notSynced, .replaced, .readersFull, .mapResizedTimeout, .nested,
      .closed, .forked, .networkFileSystem, .alreadyOpenElsewhere,
      .permission, .readOnly, .noSuchStore, .notADirectory, .foreignFile, .noSuchDatabase, .databasesFull,
      .incompatible, .foreignDatabase, .outcomeUnknown, .snapshotExpired, .keyLength, .valueLength, .keyOrder,
      .transactionFull, .transactionInvalid, .addressSpace, .io(EIO),
    ]
    for code in codes {
      let error = try translated(code)
      #expect(error.description.contains("restor") == (error.code == .corrupted), "\(code): \(error)")
      #expect((error.code == .corrupted) == (code == .corrupted))
    }
    let journalCodes: [JournalError.Code] = [
      .system(EIO), .system(ENOSPC), .full(segments: 3), .outcomeUnknown(EIO), .poisoned, .version(9),
      .recordTooLong(2, limit: 1), .forked,
    ]
    for code in journalCodes {
      let error = try translated(code)
      #expect(!error.description.contains("restor"), "\(code): \(error)")
      #expect(error.code != .corrupted)
    }
  }

  /// All trees of indexes follow from the records, and are built anew.
  @Test func damageInAnIndexAsksForARepair() throws {
    let ids = IndexCatalog.numeric.map(\.number) + IndexCatalog.text.map(\.number)
    #expect(ids.count > 40)
    for tree in ids {
      for damage in [
        IndexError.corrupt(tree: tree, node: 7, what: "checksum"),
        .outOfStep(tree: tree, key: [1], what: "present"),
      ] {
        let error = try translated(damage)
        #expect(error.code == .corrupted && error.context["tree"] == String(tree))
        #expect(error.description.contains("verify --repair") && !error.description.contains("restor"))
        #expect(error.context["index"]?.contains("(5") == false, "\(error)")
      }
    }
    let declared = try translated(IndexError.corrupt(tree: 40, node: 7, what: "checksum"))
    #expect(declared.context["index"] == "declared.entries (entries of declared indexes)")
    #expect(declared.context["found"] == "node 7: checksum")
    let unknown = try translated(IndexError.corrupt(tree: 999, node: 0, what: "checksum"))
    #expect(unknown.code == .corrupted && unknown.description.contains("restore"))
  }

  @Test func theReasonsAreToldApart() throws {
    #expect(try translated(.io(EIO)).code == .io)
    #expect(try translated(LMDBError.Code.diskFull).code == .storeFull)
    #expect(try translated(.writerBusy(process: 7)).code == .busy)
    #expect(try translated(LMDBError.Code.openerBusy(process: 7)).code == .busy)
    #expect(try translated(.readAlone).code == .busy)
    #expect(try translated(JournalError.Code.system(EIO)).code == .io)
    #expect(try translated(JournalError.Code.system(ENOSPC)).code == .storeFull)
    #expect(try translated(JournalError.Code.version(9)).code == .newerFormat)
    // A page that could not be read, and one that is wrong.
    #expect(PageFault(7, .unreadable, systemError: EIO).code == .io(EIO))
    #expect(PageFault(7, .unreadable).code == .corrupted)
  }

  @Test func whatMayPassIsKnown() {
    for code: SatchelError.Code in [.busy, .tooManyReaders, .io] {
      #expect(SatchelError(code, "").isPassing)
    }
    for code: SatchelError.Code in [
      .corrupted, .closed, .newerFormat, .notAStore, .snapshotExpired, .storeFull,
    ] {
      #expect(!SatchelError(code, "").isPassing)
    }
  }
}

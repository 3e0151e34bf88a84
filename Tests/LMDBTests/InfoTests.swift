import LMDB
import LMDBScenes
import StoreFiles
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct InfoTests {
  @Test func theStateOfTheFileIsTold() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    let fresh = try environment.info
    #expect(RoomTests.fill(environment, table, limit: 50) == (50, nil))
    let full = try environment.info
    #expect(full.pageSize == Int(sysconf(Int32(_SC_PAGESIZE))))
    #expect(full.lastTransaction == fresh.lastTransaction + 50)
    #expect(full.fileBytes >= 50 * 10_000)
    #expect(full.lastPage > fresh.lastPage)
    #expect(full.maxReaders == 1022)
    #expect(full.readers >= 1)
    #expect(full.readerLag == 0)
    try environment.write { try $0.deleteAll(in: table) }
    try #expect(environment.info.freePages > full.freePages + 50)
    try environment.write { transaction in
      #expect(transaction.id == full.lastTransaction + 2)
      try transaction.put(table, "a", "b")
      try #expect(environment.info.lastTransaction == full.lastTransaction + 1)
    }
  }

  @Test func anOldSnapshotIsALag() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.read { transaction in
      for index in 0..<3 {
        try Worker { try environment.write { try $0.put(table, "\(index)", "x") } }.value()
      }
      try #expect(environment.info.readerLag == 3)
      try #expect(environment.info.lastTransaction == transaction.id + 3)
    }
    try #expect(environment.info.readerLag == 0)
  }

  @Test func theListingOfReadersIsUnderstood() {
    var table = ReaderTable()
    table.add("    pid     thread     txnid\n")
    table.add("      1234 7f0000000000 17\n      1234 7f0000000001 -\n")
    table.add("      1235 7f0000000002 12\n")
    table.add("(no active readers)\n")
    #expect(table.taken == 3)
    #expect(table.oldest == 12)
  }

  @Test(arguments: [false, true]) func aCopyHoldsTheSame(_ compact: Bool) throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    #expect(RoomTests.fill(environment, table, limit: 60) == (60, nil))
    for number in UInt64(40)..<60 { _ = try environment.write { try $0.delete(table, number: number) } }
    try environment.sync()
    let copy = "\(scratch.path)/copy"
    mkdir(copy, 0o700)
    let file = open("\(copy)/data.mdb", O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try environment.copy(to: file, compact: compact)
    close(file)
    let opened = try Environment.open(directory: copy, options: .init(databases: ["t"]))
    defer { opened.close() }
    try RoomTests.expect(40, opened, try opened.database("t"))
    try #expect((opened.info.fileBytes < environment.info.fileBytes) == compact)
    #expect(code { try environment.copy(to: -1, compact: compact) } == .io(EBADF))
  }

  @Test func idleReadersAreUsedAgain() throws {
    let scratch = Scratch()
    let (environment, _) = try makeStore(scratch)
    defer { environment.close() }
    for _ in 0..<100 { try environment.read { _ in } }
    try #expect(environment.info.readers == 1)
  }

  @Test func everyErrorIsOneLineThatNamesThePath() {
    let codes: [LMDBError.Code] = [
      .mapFull, .diskFull, .corrupted, .invalid, .versionMismatch, .panic, .writerBusy(process: 7),
      .openerBusy(process: 7), .readAlone, .notSynced, .replaced, .foreignFile, .readersFull,
      .mapResizedTimeout,
      .nested, .closed, .forked, .networkFileSystem, .alreadyOpenElsewhere, .permission, .readOnly,
      .noSuchStore,
      .notADirectory, .noSuchDatabase, .databasesFull, .incompatible, .foreignDatabase, .outcomeUnknown,
      .snapshotExpired, .keyLength, .valueLength, .keyOrder, .transactionFull, .transactionInvalid,
      .addressSpace,
      .io(5),
    ]
    var texts: Set<String> = []
    for code in codes {
      let text = "\(LMDBError(code, operation: "put", path: "/a/store"))"
      #expect(text.hasPrefix("put /a/store: "))
      #expect(!text.contains("\n"))
      texts.insert(text)
    }
    #expect(texts.count == codes.count)
  }
}

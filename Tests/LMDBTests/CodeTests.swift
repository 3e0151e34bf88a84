import CLMDB
import StoreFiles
import Testing

/// LMDB's codes, which the errors of files know without LMDB.
struct CodeTests {
  @Test func eachCodeIsLMDBs() {
    for code in LMDBCode.allCases {
      let told = String(cString: mdb_strerror(code.rawValue))
      // The words after the name are ours.
      #expect(told.prefix { $0 != ":" } == code.message.prefix { $0 != ":" })
    }
  }

  @Test func noCodeOfLMDBsIsMissing() {
    for raw in MDB_KEYEXIST...MDB_LAST_ERRCODE {
      #expect(LMDBCode(rawValue: raw) != nil, "\(raw)")
    }
  }

  @Test func codesOfTheSystemHaveTheMessagesThatLMDBGives() {
    for raw: Int32 in 1...40 {
      #expect(systemMessage(raw) == String(cString: mdb_strerror(raw)))
    }
  }
}

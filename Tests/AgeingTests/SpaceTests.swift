import Ageing
import LMDB
import SatchelCare
import SatchelStorage
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the bytes of a store's file go.
@Suite struct SpaceTests {
  @Test func thePartsAreTheWholeFile() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/satchel-space-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var aged = try AgedStore(at: directory, seed: TestEnvironment.seed())
    defer { aged.store.close() }
    try aged.commit(2_500)
    for _ in 0..<3 {
      try aged.commit(50)
      try aged.store.checkpoint()
      let space = try aged.store.space()
      let info = try aged.store.environment.info
      #expect(space.parts.reduce(0) { $0 + $1.bytes } == space.fileBytes)
      #expect(space.fileBytes == info.fileBytes)
      #expect(space.parts.allSatisfy { $0.used >= 0 && $0.used <= $0.bytes })
      let pages = (info.freePages, Int(clamping: info.lastPage) + 1)
      // Free pages behind the file's end are not in it.
      #expect(space.free <= (pages.0 + info.fileBytes / info.pageSize - pages.1) * info.pageSize)
    }
  }
}

import TestSupport
import Testing

/// The bytes of a whole store. `SATCHEL_REWRITE=1` writes them into `store.golden`, and fails.
struct StoreTests {
  /// Every byte of every key and value is annotated, and the annotations are what the decoders find.
  @Test func everyByteOfAStoreIsKnown() throws {
    let dump = try SmallStore.withSnapshot { try StoreDump($0) }
    if let complaint = try GoldenFile("store.golden", besideFolderOf: #filePath).complaint(about: dump.text) {
      Issue.record("\(complaint)")
    }
  }

  /// Nothing in the bytes comes from the clock, from chance or from the order of a hash table.
  @Test func twoStoresOfTheSameWritesAreTheSameBytes() throws {
    let first = try SmallStore.withSnapshot { try StoreDump($0) }
    let second = try SmallStore.withSnapshot { try StoreDump($0) }
    #expect(first.text == second.text)
  }
}

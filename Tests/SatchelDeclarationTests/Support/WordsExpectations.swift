import RankedKeys
import Satchel
import SatchelIndexing
import SatchelReading
import SatchelSearch
import Testing

/// All entries of an index of words, sorted.
func wordEntries(_ store: MessageStore, _ index: Index) throws -> [TextKey] {
  try store.base.read { snapshot in
    let record = try #require(try snapshot.declaredIndexes().last { $0.definition == index.definition })
    return try snapshot.keys(ofDeclared: record.id, atMost: .max)
  }
}

/// The entries that an index of words is to have of objects with these texts, by their numbers, made without what makes the store's.
func wordEntries(of texts: [UInt64: [String]], in index: UInt32) -> [TextKey] {
  var keys: [TextKey] = []
  var total = 0
  func add(_ kind: UInt64, _ text: [UInt8], _ row: UInt64) {
    keys.append(TextKey(group: kind << 32 + UInt64(index), text: text, row: row))
  }
  for (row, texts) in texts where !texts.isEmpty {
    var frequencies: [[UInt8]: Int] = [:]
    var length = 0
    for text in texts {
      var terms = TextTerms()
      terms.add(text)
      terms.forEach { frequencies[Array($0), default: 0] += $1 }
      length += terms.length
    }
    for (term, frequency) in frequencies {
      add(0, term, row)
      if frequency > 1 { add(1, term + [0, UInt8(min(frequency, 255))], row) }
    }
    add(2, bigEndian(row / 256) + bigEndian(UInt64(length)), row)
    if texts.count > 1 { add(3, [], row) }
    total += length
  }
  if total > 0 { add(4, bigEndian(0) + bigEndian(UInt64(total)), 0) }
  return keys.sorted()
}

private func bigEndian(_ number: UInt64) -> [UInt8] {
  (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
}

/// The identifiers of the objects that an index may have, in the order of their creation.
func identifiers(of index: Index, _ store: MessageStore) throws -> [String] {
  try store.base.read { snapshot in
    let record = try #require(try snapshot.declaredIndexes().last { $0.definition == index.definition })
    return try snapshot.declaredIndexStep(of: record.kind, from: 0, atMost: 10_000).objects.map {
      try snapshot.identifier(of: $0)
    }
  }
}

/// Expects an index of words to have exactly the entries of objects with these texts, which are all that it may have, in the order of their creation.
func expectWords(
  _ index: Index, of texts: [[String]], in store: MessageStore, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let (record, numbers) = try store.base.read { snapshot in
    let record = try #require(try snapshot.declaredIndexes().last { $0.definition == index.definition })
    let step = try snapshot.declaredIndexStep(of: record.kind, from: 0, atMost: 10_000)
    return (record, step.objects.map(\.number))
  }
  try #require(numbers.count == texts.count, "\(comment)", sourceLocation: sourceLocation)
  let expected = wordEntries(
    of: Dictionary(uniqueKeysWithValues: zip(numbers, texts)), in: record.id)
  let found = try wordEntries(store, index)
  let (lacking, excess) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
  #expect(
    lacking.isEmpty && excess.isEmpty && found.count == expected.count,
    "\(comment): lacks \(lacking.prefix(3)), has \(excess.prefix(3))", sourceLocation: sourceLocation)
  let total = try store.base.read { try $0.totalLength(ofWords: record.id) }
  let lengths = found.compactMap { $0.length(ofWords: record.id) }
  #expect(lengths.reduce(0, +) == total, "\(comment)", sourceLocation: sourceLocation)
}

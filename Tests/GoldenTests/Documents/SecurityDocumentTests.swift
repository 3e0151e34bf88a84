import Foundation
import LMDB
import LMDBPages
import SatchelCare
import SatchelCoding
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelQuery
import SatchelSearch
import SatchelStorage
import SatchelText
import SatchelWriting
import TestSupport
import Testing

/// The limits that SECURITY.md states are those of the code.
struct SecurityDocumentTests {
  private static let limits: [String: Int] = [
    "bytes of a line of an interchange file or a batch": LineReader.formatLimit,
    "objects and arrays inside one another in a line": deepestLine,
    "dictionaries of metadata inside one another": Metadata.maximumDepth,
    "messages, or conversations, whose identifiers have one hash": Writer.maximumOfOneHash,
    "bytes of a value of metadata": Metadata.maximumValueBytes,
    "levels of a predicate": QueryPredicate.maximumDepth,
    "comparisons, ANDs, ORs and NOTs of a predicate": QueryPredicate.maximumNodes,
    "bytes of an operand of LIKE, CONTAINS, BEGINSWITH, ENDSWITH and AUTOCOMPLETE": TextPattern.maximumBytes,
    "bytes of a pattern of MATCHES-TEXT": SearchTree.maximumBytes,
    "words and phrases of a pattern of MATCHES-TEXT": SearchTree.maximumTexts,
    "open parentheses of a pattern of MATCHES-TEXT": SearchTree.maximumDepth,
    "values that are kept of a line": LineReader.formatValues,
    "seconds that a snapshot is held for a reader who takes nothing": Int(ReaderLease.Limits().seconds),
    "bytes that a reader takes for a second more": ReaderLease.bytesASecond,
    "bytes that the store may grow by while the reader takes nothing": ReaderLease.Limits().growth,
    "bytes that are kept for a reader without a snapshot": WriteBehind.defaultCapacity,
    "bytes of a content in a file": Int(BodyLayout.maximumLength),
    "bytes of the name of a consumer": ConsumerEntry.maximumNameBytes,
    "bytes of the name of an aggregate": AggregateEntry.maximumNameBytes,
    "bytes of a text that tell groups of an aggregate apart": AggregateGroup.maximumTextBytes,
    "consumers of the change log": Int(Writer.maximumConsumers),
    "bytes of a text that the change log keeps of a value before a change": LoggedValue.maximumTextBytes,
    "faults that a verification lists": VerificationReport.maximumFaults,
    "read transactions at a time, over all processes": Environment.Options(databases: []).maxReaders,
    "bytes of a store's file": Environment.Options(databases: []).maxMapSize,
    "levels of a tree of LMDB's": LMDBPages.TreeRecord.maximumDepth,
    "bytes of a key of LMDB's": Environment.maximumKeyLength,
  ]

  /// How deep a line may be nested, found by asking.
  private static let deepestLine: Int = {
    func isRead(_ depth: Int) -> Bool {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return (try? JSONValue(parsing: Array(text.utf8))) != nil
    }
    return (1...1000).last { isRead($0) } ?? 0
  }()

  /// The rows of the table: a limit and its number.
  private static func rows() throws -> [(name: String, number: Int)] {
    let path = FormatDocument.path.deletingLastPathComponent().appendingPathComponent("SECURITY.md")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 2 else { return nil }
      return Int(cells[1].replacing(",", with: "")).map { (cells[0], $0) }
    }
  }

  @Test func theLimitsAreThoseOfTheCode() throws {
    let rows = try Self.rows()
    for row in rows {
      let number = try #require(Self.limits[row.name], "the code has no limit \"\(row.name)\"")
      #expect(number == row.number, "\(row.name)")
    }
    #expect(Set(rows.map(\.name)) == Set(Self.limits.keys))
  }
}

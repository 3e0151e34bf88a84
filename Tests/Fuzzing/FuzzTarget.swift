/// A decoder of bytes that come from outside, and what must hold for any bytes.
///
/// Two programs use it: the tests, which run the corpus and mutations of it that follow from a seed, and the fuzzer
/// (`make fuzz`), which lets libFuzzer look for new paths through the decoder for as long as it is given.
package struct FuzzTarget: Sendable {
  /// What the decoder did with bytes that it should not have done.
  package struct Violation: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// The name of its folder in the corpus.
  package let name: String
  /// The longest input that is worth the time.
  package let maximumBytes: Int
  /// Gives the bytes to the decoder and says whether it accepts them. It must return for any bytes, without a trap and
  /// without reading behind their end; what can be said beyond that, `check` says by throwing.
  package let check: @Sendable (UnsafeRawBufferPointer) throws -> Bool

  package init(
    _ name: String, maximumBytes: Int = 1024,
    check: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Bool
  ) {
    self.name = name
    self.maximumBytes = maximumBytes
    self.check = check
  }

  /// All targets, by name.
  package static let all: [FuzzTarget] =
    (records + [
      keys, page, pages, rowNode, textNode, continuation, directory, line, json, base64, date, predicate,
      sortKeys, batch, metadataPath, pattern, search, nfc, journal, head, commitChanges, forestChanges,
    ]).sorted { $0.name < $1.name }
}

/// Throws unless a property holds.
func expect(
  _ condition: Bool, _ what: @autoclosure () -> String
) throws(FuzzTarget.Violation) {
  guard condition else { throw FuzzTarget.Violation(what()) }
}

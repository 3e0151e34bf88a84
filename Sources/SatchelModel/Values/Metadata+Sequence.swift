extension Metadata: Sequence {
  /// A key and its value, as a dictionary has them.
  public typealias Element = (key: String, value: MetadataValue)

  /// Gives the keys and values of one dictionary.
  public struct Iterator: IteratorProtocol {
    private var entries: IndexingIterator<[Entry]>

    fileprivate init(_ entries: [Entry]) { self.entries = entries.makeIterator() }

    /// Returns the next key with its value; nil after the last one.
    public mutating func next() -> Element? { entries.next().map { ($0.key, $0.value) } }
  }

  /// Gives the keys and values of this dictionary, in ascending order of the keys' UTF-8 bytes. A nested dictionary is one
  /// value: `for (key, value) in metadata`.
  public func makeIterator() -> Iterator { Iterator(entries) }

  /// The number of entries.
  public var underestimatedCount: Int { count }
}

import SatchelModel

/// A column of an index that an application declares: a property, its direction, and whether each of its elements has an entry.
///
/// It is written and printed as `sentAt`, `-metadata.priority`, `each metadata.tags` or `words parts.text`.
public struct IndexColumn: Sendable {
  /// The names of the property's key path.
  public let path: [String]
  /// Whether the greatest value comes first.
  public let descending: Bool
  /// Whether an object has an entry for each different element of its value, so that it is found by each: of properties of parts always,
  /// of values of metadata if they are lists of texts.
  public let isOfElements: Bool
  /// Whether the index has the words of the property's texts, for full-text search. Such a column is the only one of its index.
  public let isOfWords: Bool

  /// Makes a column. Whether the property can be one is checked when the index is declared.
  public init(
    _ path: [String], descending: Bool = false, isOfElements: Bool = false, isOfWords: Bool = false
  ) {
    self.path = path
    self.descending = descending
    self.isOfElements = isOfElements
    self.isOfWords = isOfWords
  }

  /// Makes a column from its text: `sentAt`, `-metadata.priority`, `each metadata.tags`, `words parts.text`.
  /// - Throws: ``SatchelError`` `syntaxError` if the text is no column.
  public init(_ text: String) throws {
    let prefix = [Self.each, Self.words].first { text.utf8.starts(with: $0.utf8) } ?? ""
    guard let key = try? SortKey(String(text.dropFirst(prefix.count))) else {
      throw SatchelError(
        .syntaxError, "The text is not a column of an index",
        ["found": text, "expected": "a property, or -, each or words before one"])
    }
    self.init(
      key.path, descending: key.descending, isOfElements: prefix == Self.each, isOfWords: prefix == Self.words
    )
  }

  private static let each = "each "
  private static let words = "words "

  /// The key that sorts by the column.
  package var sortKey: SortKey { SortKey(path, descending: descending) }
}

extension IndexColumn: Hashable {
  /// Whether both are the same property in the same direction, with an entry for the same values.
  public static func == (left: Self, right: Self) -> Bool {
    left.sortKey == right.sortKey && left.isOfElements == right.isOfElements
      && left.isOfWords == right.isOfWords
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sortKey)
    hasher.combine(isOfElements)
    hasher.combine(isOfWords)
  }
}

extension IndexColumn: CustomStringConvertible {
  /// The text that ``init(_:)-(String)`` reads.
  public var description: String {
    (isOfWords ? Self.words : "") + (isOfElements ? Self.each : "") + sortKey.description
  }
}

/// A type that can be a column of an index: a sortable property, ascending, a ``SortKey``, a list of metadata, or an ``IndexColumn``.
public protocol IndexColumnConvertible {
  /// The column.
  var indexColumn: IndexColumn { get }
}

extension IndexColumn: IndexColumnConvertible {
  /// The column itself.
  public var indexColumn: IndexColumn { self }
}

extension SortKeyConvertible {
  /// The column that is ordered as the key sorts.
  public var indexColumn: IndexColumn {
    let key = sortKey
    return IndexColumn(key.path, descending: key.descending)
  }
}

extension FieldTypes.MetadataList: IndexColumnConvertible {
  /// A column in which an object has an entry for each of its texts.
  public var indexColumn: IndexColumn { IndexColumn(propertyPath, isOfElements: true) }
}

extension FieldTypes.Status: IndexColumnConvertible {
  /// A column of the status, missing first.
  public var indexColumn: IndexColumn { IndexColumn(propertyPath) }
}

extension FieldTypes.Parts {
  /// A column in which a message has an entry for each different value of a property of its parts: `$0.parts.each { $0.mimeType }`.
  public func each<Field: QueryField>(_ property: (PartOfMessageFields) -> Field) -> IndexColumn {
    IndexColumn(property(PartOfMessageFields(propertyPath)).propertyPath, isOfElements: true)
  }
}

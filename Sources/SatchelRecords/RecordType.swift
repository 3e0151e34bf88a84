package import SatchelModel
import SatchelText

/// A type of records: the application's own objects, with a name and typed fields.
///
/// A type is declared in a store once, and its records are kept there:
///
/// ```swift
/// let list = RecordType("list") { $0.text("title") }
/// let todo = RecordType("todo") {
///   $0.text("title")
///   $0.integer("order")
///   $0.texts("tags")
///   $0.reference("list", to: list, onDelete: .cascade)
/// }
/// ```
///
/// A record may lack any of the fields, and may have others, which are not declared: each of them has whatever type its value has.
public struct RecordType: Sendable, Hashable {
  /// The name: 1 to 64 of `A-Z a-z 0-9 _ -`. One that begins with `_` is that of a type which the library brings: see ``StoreFeature``.
  public let name: String
  /// The declared fields, in ascending order of the bytes of their names.
  public let fields: [Field]

  /// A declared field.
  public struct Field: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The type of its values.
    public let type: FieldType
    /// What becomes of a record when the object is deleted to which its value in the field refers. Nil of a field of another type, and of
    /// one of references to objects of any type for which none was declared: then it is ``ReferenceAction/standard(for:)`` of the
    /// type that the value names.
    public let onDelete: ReferenceAction?

    package init(name: String, type: FieldType, onDelete action: ReferenceAction? = nil) {
      self.name = name
      self.type = type
      onDelete = type.isReference ? action ?? type.standardAction : nil
    }
  }

  /// Makes a type. Nothing is checked until the type is declared in a store. Of two fields with one name the later one is taken.
  public init(_ name: String, _ fields: (inout Fields) -> Void = { _ in }) {
    var list = Fields()
    fields(&list)
    self.init(name, fields: list.fields)
  }

  package init(_ name: String, fields: [Field]) {
    self.name = name
    var byName: [ByteString: Field] = [:]
    for field in fields { byName[ByteString(field.name)] = field }
    self.fields = byName.values.sorted { UTF8Order.isLess($0.name, $1.name) }
  }

  /// Returns the declared field with a name; nil if there is none.
  /// - Complexity: O(log n) in the number of declared fields.
  public func field(named name: String) -> Field? {
    var (low, high) = (0, fields.count)
    while low < high {
      let middle = (low + high) / 2
      if UTF8Order.isLess(fields[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    guard low < fields.count, UTF8Order.areEqual(fields[low].name, name) else { return nil }
    return fields[low]
  }

  /// The fields of a type while it is being described.
  public struct Fields: Sendable {
    fileprivate var fields: [Field] = []

    private mutating func add(_ name: String, _ type: FieldType, _ action: ReferenceAction? = nil) {
      fields.append(Field(name: name, type: type, onDelete: action))
    }

    /// Adds a field of texts.
    public mutating func text(_ name: String) { add(name, .text) }

    /// Adds a field of whole numbers.
    public mutating func integer(_ name: String) { add(name, .integer) }

    /// Adds a field of numbers, whole or not.
    public mutating func number(_ name: String) { add(name, .number) }

    /// Adds a field that is true or false.
    public mutating func boolean(_ name: String) { add(name, .boolean) }

    /// Adds a field of points in time.
    public mutating func date(_ name: String) { add(name, .date) }

    /// Adds a field of lists of texts.
    public mutating func texts(_ name: String) { add(name, .texts) }

    /// Adds a field that refers to objects: to records of one type, or to objects of any type.
    /// - Parameter action: What becomes of a record when the object is deleted to which it refers; ``ReferenceAction/standard(for:)`` of the
    ///   object's type if it is nil.
    public mutating func reference(
      _ name: String, to type: RecordType? = nil, onDelete action: ReferenceAction? = nil
    ) {
      add(name, .reference(to: type?.name), action)
    }

    /// Adds a field that refers to objects of a type by the type's name, which may be the name of the type that is being described, or
    /// ``Reference/conversations``, ``Reference/messages`` or ``Reference/identities``.
    /// - Parameter action: As of the other form.
    public mutating func reference(_ name: String, to type: String, onDelete action: ReferenceAction? = nil) {
      add(name, .reference(to: type), action)
    }
  }
}

/// The type of a field's values. A later version may have more, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FieldType: Sendable {
  /// ``MetadataValue/text(_:)``.
  case text
  /// ``MetadataValue/integer(_:)``.
  case integer
  /// ``MetadataValue/number(_:)`` or ``MetadataValue/integer(_:)``.
  case number
  /// ``MetadataValue/boolean(_:)``.
  case boolean
  /// ``MetadataValue/date(_:)``.
  case date
  /// ``MetadataValue/list(_:)``.
  case texts
  /// ``MetadataValue/reference(_:)``, to objects of the type with this name; to objects of any type if it is nil.
  case reference(to: String?)
}

extension FieldType: Hashable {
  /// Whether both are the same type.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.reference(let left?), .reference(let right?)): UTF8Order.areEqual(left, right)
    case (.reference(nil), .reference(nil)): true
    case (.reference, .reference): false
    default: left.number == right.number
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The number of the type in the store's definition of a record type: it never changes its meaning.
  package var number: UInt8 {
    switch self {
    case .text: 0
    case .integer: 1
    case .number: 2
    case .boolean: 3
    case .date: 4
    case .texts: 5
    case .reference: 6
    }
  }

  /// All types in the order of their numbers, with references to objects of any type.
  package static let all: [FieldType] = [
    .text, .integer, .number, .boolean, .date, .texts, .reference(to: nil),
  ]

  /// Makes the type with a number; nil if none has it.
  /// - Parameter target: The type that a reference leads to.
  package init?(number: UInt8, to target: String?) {
    guard Int(number) < Self.all.count else { return nil }
    self = Self.all[Int(number)]
    guard let target else { return }
    guard self == .reference(to: nil) else { return nil }
    self = .reference(to: target)
  }

  /// Whether the values are references.
  package var isReference: Bool { if case .reference = self { true } else { false } }

  /// The action of a field for which none is declared; nil if that depends on what its value refers to, and of other types.
  package var standardAction: ReferenceAction? {
    guard case .reference(let target?) = self else { return nil }
    return .standard(for: target)
  }

  /// The record type that has to be declared for a field of the type; nil if none has to.
  package var neededType: String? {
    guard case .reference(let target?) = self, !Reference.builtIn.contains(ByteString(target)) else {
      return nil
    }
    return target
  }

  /// Whether a field of the type may have a value.
  package func accepts(_ value: MetadataValue) -> Bool {
    switch (self, value) {
    case (.text, .text), (.integer, .integer), (.number, .integer), (.number, .number), (.boolean, .boolean),
      (.date, .date), (.texts, .list), (.reference(to: nil), .reference):
      true
    case (.reference(let type?), .reference(let reference)): UTF8Order.areEqual(type, reference.type)
    default: false
    }
  }
}

extension FieldType: CustomStringConvertible {
  /// The type as errors and `satchel stats` name it: `text`, `reference to list`.
  public var description: String { spelling.oneLine }

  /// The description with a type's name as it was given: the interchange format has it so.
  package var spelling: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .texts: "texts"
    case .reference(let type?): Self.prefix + type
    case .reference(nil): "reference"
    }
  }

  private static let prefix = "reference to "

  /// Makes the type of its spelling; nil if it is none. Whether the name of a type is valid is not checked.
  package init?(spelling text: String) {
    if text.utf8.starts(with: Self.prefix.utf8) {
      self = .reference(to: String(Substring(text.utf8.dropFirst(Self.prefix.utf8.count))))
      return
    }
    guard let type = Self.all.first(where: { UTF8Order.areEqual($0.spelling, text) }) else { return nil }
    self = type
  }
}

extension RecordType: CustomStringConvertible {
  /// The name and the fields: `todo (list: reference to list (cascade), title: text)`.
  public var description: String {
    let fields = fields.map { field in
      "\(field.name.oneLine): \(field.type)" + (field.declaredAction.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
    return name.oneLine + (fields.isEmpty ? "" : " (\(fields))")
  }
}

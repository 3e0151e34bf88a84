/// A property that can be asked for: its type, and how to read it.
struct Property<Object> {
  let type: ValueType
  /// Whether an object can be without it, so that `= nil` may be asked.
  var isOptional = false
  var isToMany = false
  /// Whether missing values sort behind the others, as for every path that ends in `position`.
  var sortsMissingLast = false
  /// Whether its values may be references, so that it compares with one.
  var mayRefer = false
  /// Whether it is one of an object that a field of a record refers to.
  var isReferenced = false
  /// The dictionary at which a key path of metadata ends, if it ends at one: it is no value of the property, but may be asked for.
  var dictionary: ((Object) -> MetadataTree?)?
  /// How many elements an object has, of which some may lack a value; nil unless the property is to-many.
  var elementCount: ((Object) -> Int)?
  /// The values that are there: at most one unless it is to-many. Texts are as they were given.
  let read: (Object) -> [Value]

  var isSortable: Bool { type.isSortable && !isToMany }

  /// The property with the dictionaries at which it ends as its values; nil if it ends at none.
  var ofDictionaries: Property? {
    dictionary.map { dictionary in
      Property(type: .dictionary, isOptional: true) { object in
        dictionary(object).map { [.dictionary($0.composed)] } ?? []
      }
    }
  }

  /// The same property by way of a relation to the object that has it. Without that object the value is missing.
  func through<Outer>(_ relation: @escaping (Outer) -> Object?) -> Property<Outer> {
    Property<Outer>(
      type: type, isOptional: isOptional, isToMany: isToMany, sortsMissingLast: sortsMissingLast,
      mayRefer: mayRefer, isReferenced: isReferenced,
      dictionary: dictionary.map { dictionary in { relation($0).flatMap(dictionary) } },
      elementCount: elementCount.map { count in { relation($0).map(count) ?? 0 } }
    ) { relation($0).map(read) ?? [] }
  }

  /// The same property of the object that a field refers to, which need not be there.
  func throughReference<Outer>(_ object: @escaping (Outer) -> Object?) -> Property<Outer> {
    var property = through(object)
    property.isOptional = true
    property.isReferenced = true
    return property
  }

  /// The same property of any of several objects.
  func throughAny<Outer>(_ relation: @escaping (Outer) -> [Object]) -> Property<Outer> {
    Property<Outer>(
      type: type, isOptional: true, isToMany: true, sortsMissingLast: sortsMissingLast,
      elementCount: { relation($0).count }
    ) { relation($0).flatMap(read) }
  }
}

extension Property {
  static func exact(_ read: @escaping (Object) -> ByteString) -> Property {
    Property(type: .exact) { [.string(read($0))] }
  }

  static func text(_ read: @escaping (Object) -> ByteString?) -> Property {
    Property(type: .text, isOptional: true) { read($0).map { [.string($0)] } ?? [] }
  }

  static func number(_ read: @escaping (Object) -> Int64) -> Property {
    Property(type: .number) { [.integer(read($0))] }
  }

  static func optionalNumber(_ read: @escaping (Object) -> Int64?) -> Property {
    Property(type: .number, isOptional: true) { read($0).map { [.integer($0)] } ?? [] }
  }

  static func position(_ read: @escaping (Object) -> Int64?) -> Property {
    var property = optionalNumber(read)
    property.sortsMissingLast = true
    return property
  }

  static func date(_ read: @escaping (Object) -> Int64?) -> Property {
    Property(type: .date, isOptional: true) { read($0).map { [.integer($0)] } ?? [] }
  }

  static func boolean(_ read: @escaping (Object) -> Bool) -> Property {
    Property(type: .boolean) { [.boolean(read($0))] }
  }

  /// Metadata as a whole, which is never missing.
  static func dictionary(_ read: @escaping (Object) -> MetadataTree) -> Property {
    Property(type: .dictionary) { [.dictionary(read($0).composed)] }
  }

  /// A key path into metadata or the fields of a record: the value it ends at, missing when it ends at a dictionary or nowhere. A list
  /// has several.
  static func metadata(
    at path: ArraySlice<ByteString>, mayRefer: Bool = false, _ read: @escaping (Object) -> MetadataTree
  ) -> Property? {
    guard !path.isEmpty, path.allSatisfy(MetadataTree.isKey) else { return nil }
    func dictionary(_ object: Object) -> MetadataTree? {
      guard let tree = read(object)[path], case .dictionary = tree else { return nil }
      return tree
    }
    return Property(type: .custom, isOptional: true, mayRefer: mayRefer, dictionary: dictionary) { object in
      switch read(object)[path] {
      case .text(let text)?: return [.string(text)]
      case .list(let texts)?:
        let distinct = Set(texts)
        return [.list, .texts(distinct)] + distinct.sorted().map { .string($0) }
      case let value?:
        return switch value.composed {
        case .integer(let value): [.integer(value)]
        case .number(let value): [.double(value)]
        case .boolean(let value): [.boolean(value)]
        case .date(let date): [.date(date)]
        case .reference(let reference): [.reference(reference)]
        case .text, .list, .dictionary: []
        }
      case nil: return []
      }
    }
  }
}

/// A property that can be asked for: its type, and how to read it.
struct Property<Object> {
  let type: ValueType
  /// Whether an object can be without it, so that `= nil` may be asked.
  var isOptional = false
  var isToMany = false
  /// Whether missing values sort behind the others, as for every path that ends in `position`.
  var sortsMissingLast = false
  /// The dictionary at which a key path of metadata ends, if it ends at one: it is no value of the property, but may be asked for.
  var dictionary: ((Object) -> MetadataTree?)?
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

  /// The same property by way of a relation to the object that has it.
  func through<Outer>(_ relation: @escaping (Outer) -> Object) -> Property<Outer> {
    Property<Outer>(
      type: type, isOptional: isOptional, isToMany: isToMany, sortsMissingLast: sortsMissingLast,
      dictionary: dictionary.map { dictionary in { dictionary(relation($0)) } }
    ) { read(relation($0)) }
  }

  /// The same property of any of several objects.
  func throughAny<Outer>(_ relation: @escaping (Outer) -> [Object]) -> Property<Outer> {
    Property<Outer>(type: type, isOptional: true, isToMany: true, sortsMissingLast: sortsMissingLast) {
      relation($0).flatMap(read)
    }
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

  /// A key path into metadata or the fields of a record: the value it ends at, missing when it ends at a dictionary or nowhere. A list
  /// has several.
  static func metadata(
    at path: ArraySlice<ByteString>, _ read: @escaping (Object) -> MetadataTree
  ) -> Property? {
    guard !path.isEmpty, path.allSatisfy(MetadataTree.isKey) else { return nil }
    func dictionary(_ object: Object) -> MetadataTree? {
      guard let tree = read(object)[path], case .dictionary = tree else { return nil }
      return tree
    }
    return Property(type: .custom, isOptional: true, dictionary: dictionary) { object in
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

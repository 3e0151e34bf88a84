package import SatchelModel
package import SatchelQuery
package import SatchelRecords

/// The messages and conversations to which a question for records refers, each with all of its names. A question means an object by any of
/// them. A field of an application's record has the reference that it was given: there a reference stands for those to all names. What
/// the library's types say of an object they keep under the identifier that never changes: there it stands for that one.
///
/// An object may come, or get another name, after the question was asked: then the names are looked up again.
///
/// It is a class, so that copying a question costs one reference count for it.
final class NamedObjects: Sendable {
  /// Finds all names of the object that a reference means.
  typealias Finder = (Reference) throws -> [String]

  private let predicate: QueryPredicate
  private let normalizer: Normalizer
  /// The fields that have the first name of an object alone.
  private let fields: Set<String>
  private let names: [Reference: [Reference]]

  private init(
    _ predicate: QueryPredicate, _ normalizer: Normalizer, _ fields: Set<String>,
    _ names: [Reference: [Reference]]
  ) {
    self.predicate = predicate
    self.normalizer = normalizer
    self.fields = fields
    self.names = names
  }

  /// Looks the names up, those of each reference once. Nil if a predicate refers to no message and no conversation.
  convenience init?(
    in predicate: QueryPredicate, of type: RecordType, _ normalizer: Normalizer, _ find: Finder
  ) throws {
    var names: [Reference: [Reference]] = [:]
    try predicate.forEachReference { reference in
      guard reference.mayHaveNames, names[reference] == nil else { return }
      names[reference] = try Self.names(of: reference, find)
    }
    guard !names.isEmpty else { return nil }
    self.init(predicate, normalizer, type.fieldsOfIdentifiers, names)
  }

  /// Looks the names up again. Nil if all are the same.
  func renamed(_ find: Finder) throws -> NamedObjects? {
    var isChanged = false
    var names = names
    for (reference, known) in self.names {
      let found = try Self.names(of: reference, find)
      guard found != known else { continue }
      names[reference] = found
      isChanged = true
    }
    return isChanged ? NamedObjects(predicate, normalizer, fields, names) : nil
  }

  private static func names(of reference: Reference, _ find: Finder) throws -> [Reference] {
    try find(reference).map { Reference(type: reference.type, name: $0) }
  }

  /// Whether an object has other names than the one by which it is referred to.
  var haveOthers: Bool { names.values.contains { $0.count > 1 } }

  /// Returns the condition of the predicate, in which fields refer to the objects by whatever names they have there.
  func condition() throws -> Condition {
    try normalizer.condition(
      for: predicate.naming { reference, path in
        guard let names = names[reference] else { return [reference] }
        return path.count == 1 && fields.contains(path[0]) ? Array(names.prefix(1)) : names
      })
  }
}

extension Question {
  /// Whether it refers to messages or conversations.
  package var namesObjects: Bool { named != nil }

  /// Has each reference to a message or a conversation mean the object, whichever of its names the reference has.
  /// - Parameters:
  ///   - predicate: What the condition has been made of, by `normalizer`.
  ///   - type: The type of the records.
  ///   - find: Finds all names of the object that a reference means, first the one that never changes.
  package mutating func nameObjects(
    in predicate: QueryPredicate, of type: RecordType, _ normalizer: Normalizer,
    _ find: (Reference) throws -> [String]
  ) throws {
    named = try NamedObjects(in: predicate, of: type, normalizer, find)
    if let named, named.haveOthers { condition = try named.condition() }
  }

  /// Looks up the names again of the objects to which it refers, and returns whether some are others: it has another condition then.
  package mutating func renameObjects(_ find: (Reference) throws -> [String]) throws -> Bool {
    guard let renamed = try named?.renamed(find) else { return false }
    condition = try renamed.condition()
    named = renamed
    return true
  }
}

extension RecordType {
  /// Of one of the library's types, the fields that refer to messages or conversations: by their identifiers, as far as these are there.
  fileprivate var fieldsOfIdentifiers: Set<String> {
    guard StoreFeature(recordType: name) != nil else { return [] }
    return Set(
      fields.filter {
        $0.type == .reference(to: Reference.messages) || $0.type == .reference(to: Reference.conversations)
      }.map(\.name))
  }
}

extension Reference {
  /// Whether the object that it means may have several names.
  fileprivate var mayHaveNames: Bool { type == Self.messages || type == Self.conversations }
}

extension QueryPredicate {
  /// Calls `visit` with each reference among the operands.
  fileprivate func forEachReference(_ visit: (Reference) throws -> Void) rethrows {
    switch form {
    case .constant, .elements, .invalid: break
    case .not(let predicate): try predicate.forEachReference(visit)
    case .and(let predicates), .or(let predicates):
      for predicate in predicates { try predicate.forEachReference(visit) }
    case .comparison(let comparison):
      for case .reference(let reference) in comparison.constants?.list ?? [] { try visit(reference) }
    }
  }

  /// Returns the predicate with other references in the place of each.
  /// - Parameter names: Returns the references that stand for one that a property of some path is compared with.
  fileprivate func naming(_ names: (Reference, [String]) -> [Reference]) -> QueryPredicate {
    switch form {
    case .constant, .elements, .invalid: self
    case .not(let predicate): .not(predicate.naming(names))
    case .and(let predicates): .and(predicates.map { $0.naming(names) })
    case .or(let predicates): .or(predicates.map { $0.naming(names) })
    case .comparison(let comparison): .comparison(comparison.naming(names))
    }
  }
}

extension QueryPredicate.Comparison {
  /// Of a comparison for equality, the values of which one is to be equal, or none; nil of all others.
  fileprivate var constants: (list: [QueryPredicate.Constant], isComplement: Bool)? {
    switch (`operator`, operand) {
    case (.equal, .constant(let constant)), (.member, .constant(let constant)): ([constant], false)
    case (.notEqual, .constant(let constant)): ([constant], true)
    case (.in, .list(let list)): (list, false)
    case (.notIn, .list(let list)): (list, true)
    default: nil
    }
  }

  fileprivate func naming(_ names: (Reference, [String]) -> [Reference]) -> Self {
    guard let (list, isComplement) = constants else { return self }
    let named = list.flatMap { constant -> [QueryPredicate.Constant] in
      guard case .reference(let reference) = constant else { return [constant] }
      return names(reference, path).map { .reference($0) }
    }
    guard named != list else { return self }
    return Self(path, isComplement ? .notIn : .in, .list(named), options: options, quantifier: quantifier)
  }
}

package import SatchelModel
package import SatchelRecords
import SatchelText

/// What a query asks for, as far as the names of its key paths mean something: a kind of objects, or a record type beside those that its
/// references lead to.
package struct QueriedType: Sendable {
  package let kind: ObjectKind
  /// The record type; nil of other kinds, and where no type is known: then every name is one of a field.
  let type: RecordType?
  let types: [RecordType]
  /// Whether the store keeps what conversations are to its user, to which `my` leads; nil where that is not asked for.
  private let keepsOwnStates: Bool?

  package init(_ kind: ObjectKind, keepsOwnStates: Bool? = nil) {
    self.kind = kind
    self.keepsOwnStates = keepsOwnStates
    type = nil
    types = []
  }

  /// - Parameter types: All types that are declared.
  package init(_ type: RecordType, among types: [RecordType]) {
    kind = .records
    keepsOwnStates = nil
    self.type = type
    self.types = types
  }

  /// Finds a property by the names of its key path. Behind a declared field of references stand the properties of what it refers to, and behind
  /// the users that a record has, those of their identities. Below a declared field of any other type stands nothing: no such field is a dictionary.
  /// - Parameter whole: The path that ends with this one, for errors.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, which names the path and what would be possible; `unknownRecordType` for `my` where it is off.
  package func property(_ path: [String], of whole: [String]? = nil) throws -> ObjectProperty {
    if let keepsOwnStates, let property = try OwnState.property(path, of: kind) {
      guard keepsOwnStates else { throw StoreFeature.participations.offError }
      return property
    }
    guard path.count > 1, let type, let field = type.field(named: path[0]) else {
      guard path.count > 1, type != nil, let step = ReferenceStep(user: path[0]) else {
        return try ObjectProperty(path: path, of: kind)
      }
      try Self.checkLength(of: path)
      return ObjectProperty([], .referenced(step, try behind(step, path, of: whole ?? path)))
    }
    guard case .reference(let target) = field.type else { throw field.error(leadingBelow: whole ?? path) }
    try Self.checkLength(of: path)
    guard let target else {
      throw error(whole ?? path, "any type, so that nothing can stand behind it: declare it with a type")
    }
    let step = ReferenceStep(field: field.name, target: target)
    return ObjectProperty([], .referenced(step, try behind(step, path, of: whole ?? path)))
  }

  private func behind(_ step: ReferenceStep, _ path: [String], of whole: [String]) throws -> ObjectProperty {
    let rest = Array(path.dropFirst())
    guard step.kind == .records else {
      do {
        return try ObjectProperty(path: rest, of: step.kind)
      } catch let error as SatchelError where error.code == .unqueryableProperty {
        throw error.ofPath(whole, endingWith: rest)
      }
    }
    guard let next = types.first(where: { UTF8Order.areEqual($0.name, step.target) }) else {
      throw error(whole, step.target)
    }
    return try QueriedType(next, among: types).property(rest, of: whole)
  }

  /// Returns the steps of a path of which each name is a declared field of references.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, which names the path and the fields that would be possible.
  package func steps(of path: [String]) throws -> [ReferenceStep] {
    try Self.checkLength(of: path)
    var steps: [ReferenceStep] = []
    var type = type
    for name in path {
      let choices = (type?.fields ?? []).compactMap { field -> ReferenceStep? in
        guard case .reference(let target?) = field.type else { return nil }
        return ReferenceStep(field: field.name, target: target)
      }
      guard let step = choices.first(where: { UTF8Order.areEqual($0.field, name) }) else {
        throw SatchelError(
          .unqueryableProperty, "This path leads to no object that can come with the results",
          [
            "path": path.spelledPath, "kind": self.type?.name ?? kind.rawValue,
            "available": choices.isEmpty ? "none" : choices.map(\.field).joined(separator: ", "),
          ])
      }
      steps.append(step)
      type = types.first { UTF8Order.areEqual($0.name, step.target) }
    }
    guard !steps.isEmpty else { return try self.steps(of: [""]) }
    return steps
  }

  /// A type may refer to itself, so that only the number of names bounds a path: as that of a key path of metadata.
  private static func checkLength(of path: [String]) throws {
    guard path.count > Metadata.maximumDepth else { return }
    throw SatchelError(
      .unqueryableProperty, "A path through references has at most 64 names",
      ["property": path.spelledPath, "found": "\(path.count) names"])
  }

  private func error(_ path: [String], _ target: String) -> SatchelError {
    SatchelError(
      .unqueryableProperty, "The field refers to objects whose properties are not known",
      ["property": path.spelledPath, "target": target])
  }
}

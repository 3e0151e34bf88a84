package import SatchelModel
import SatchelText

/// An object that comes with the results of a query: see ``Query/including(_:as:)``.
public struct QueryInclusion: Sendable, Codable {
  /// The names of the key path that leads to it, such as `lastMessage` and `sender`.
  public let path: [String]
  /// A name that the program has for it; nil for none.
  public let name: String?

  /// Makes an inclusion. Whether the path leads to an object is checked when a query runs.
  public init(_ path: [String], name: String? = nil) {
    self.path = path
    self.name = name
  }
}

extension QueryInclusion: Hashable {
  /// Whether both bring the same object under the same name.
  public static func == (left: Self, right: Self) -> Bool {
    ExactText.areEqual(left.path, right.path)
      && ExactText.areEqual([left.name].compactMap(\.self), [right.name].compactMap(\.self))
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    ExactText.hash(path, into: &hasher)
    ExactText.hash([name].compactMap(\.self), into: &hasher)
  }
}

extension QueryInclusion {
  /// Whether a name is the spelling of a path to another object than that at `path`, from the objects of the query or from one on the
  /// way to that at `path`: whoever asks one of them for the name would not know which is meant.
  fileprivate func leads(under name: String, elsewhereThan path: [String]) -> Bool {
    for start in 0..<min(path.count, self.path.count) where path[..<start] == self.path[..<start] {
      for end in start..<self.path.count where self.path[...end] != path[...] {
        if UTF8Order.areEqual(self.path[start...end].joined(separator: "."), name) { return true }
      }
    }
    return false
  }
}

extension QueryInclusion: CustomStringConvertible {
  /// The path, and the name if there is one: `sender as "author"`.
  public var description: String {
    var printer = Printer()
    printer.append(path: path)
    return printer.text + (name.map { " as \(QueryPredicate.Constant.text($0))" } ?? "")
  }
}

extension QueryDescription {
  /// Returns which objects come with the results.
  /// - Throws: ``SatchelError`` `unqueryableProperty` for a path that leads to no object, `invalidValue` for a name that is empty or
  ///   that stands for two paths: those of other inclusions are names as well.
  package func resolvedInclusions() throws -> Inclusions {
    var resolved = Inclusions()
    guard !inclusions.isEmpty else { return resolved }
    for inclusion in inclusions {
      try check(inclusion)
      if let responses = ResponseKinds(path: inclusion.path, of: kind) {
        resolved.responses.formUnion(responses)
        continue
      }
      resolved.insert(try relations(of: inclusion)[...], name: inclusion.name)
    }
    return resolved
  }

  /// Returns the paths to the objects that come with records of a type.
  /// - Throws: As `resolvedInclusions`.
  package func recordInclusions(of queried: QueriedType) throws -> [(steps: [ReferenceStep], name: String?)] {
    for inclusion in inclusions { try check(inclusion) }
    return try inclusions.map { (try queried.steps(of: $0.path), $0.name) }
  }

  /// Checks that the name of an inclusion stands for nothing else.
  private func check(_ inclusion: QueryInclusion) throws {
    guard let name = inclusion.name else { return }
    let isTaken = inclusions.contains { other in
      other.leads(under: name, elsewhereThan: inclusion.path)
        || other.path != inclusion.path && other.name.map { UTF8Order.areEqual($0, name) } ?? false
    }
    guard !name.isEmpty, !isTaken else {
      throw SatchelError(
        .invalidValue, "A name of something included is not empty, and stands for one path",
        ["name": name, "path": inclusion.path.spelledPath, "query": description])
    }
  }

  private func relations(of inclusion: QueryInclusion) throws -> [ObjectRelation] {
    var path: [ObjectRelation] = []
    for name in inclusion.path {
      let choices = kind.relations(after: path)
      guard let relation = choices.first(where: { $0.name == name }) else {
        throw Self.error(inclusion, of: kind, available: choices.map(\.name) + responses(after: path))
      }
      path.append(relation)
    }
    guard !path.isEmpty else {
      throw Self.error(
        inclusion, of: kind, available: kind.relations(after: []).map(\.name) + responses(after: path))
    }
    return path
  }

  /// What others say, and what conversations are to the user, comes with objects that are themselves asked for.
  private func responses(after path: [ObjectRelation]) -> [String] {
    path.isEmpty ? ResponseKinds.names(of: kind) : []
  }

  private static func error(
    _ inclusion: QueryInclusion, of kind: ObjectKind, available: [String]
  ) -> SatchelError {
    SatchelError(
      .unqueryableProperty, "This path leads to no object that can come with the results",
      [
        "path": inclusion.path.spelledPath, "kind": kind.rawValue,
        "available": available.isEmpty ? "none" : available.joined(separator: ", "),
      ])
  }
}

extension ObjectKind {
  /// Returns the relations that lead on from where a path from an object of this kind ends. None leads back.
  fileprivate func relations(after path: [ObjectRelation]) -> [ObjectRelation] {
    switch (path.last, self) {
    case (nil, .messages), (.message?, _): [.conversation, .sender]
    case (nil, .announcements): [.sender]
    case (nil, .conversations), (.conversation?, _): [.lastMessage]
    case (nil, .parts): [.message]
    case (.lastMessage?, _): [.sender]
    case (nil, .identities), (nil, .records), (.sender?, _), (.parts?, _): []
    }
  }
}

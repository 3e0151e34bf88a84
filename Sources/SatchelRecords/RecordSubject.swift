package import SatchelModel
import SatchelText

/// A message or a conversation of which a record of the library's says something, as it is when the record is written.
package struct RecordSubject {
  /// All of its names, first the identifier that never changes.
  package let names: [String]
  /// Whether it is a message that was deleted for everyone.
  package let isWithdrawn: Bool
  /// Whether it is an announcement.
  package let isAnnouncement: Bool

  /// Finds an object by any of its names; nil if there is none.
  package typealias Finder = (Reference) throws -> RecordSubject?

  package init(names: [String], isWithdrawn: Bool = false, isAnnouncement: Bool = false) {
    self.names = names
    self.isWithdrawn = isWithdrawn
    self.isAnnouncement = isAnnouncement
  }

  fileprivate func isNamed(_ name: String) -> Bool { names.contains { UTF8Order.areEqual($0, name) } }
}

extension Record.ID {
  /// Of which message or conversation a record says something, as its name has that; nil of all other records.
  fileprivate var subject: Reference? {
    guard let feature = StoreFeature(recordType: type), let kind = feature.typeOfSubjects else { return nil }
    if feature == .threads { return Reference(type: kind, name: name) }
    return ReactionName.message(of: Array(name.utf8)).map {
      Reference(type: kind, name: String(decoding: $0, as: UTF8.self))
    }
  }

  /// Returns the identifier of the record that says the same of the object by another name.
  private func naming(_ other: String) -> Record.ID {
    if StoreFeature(recordType: type) == .threads { return Record.ID(type: type, name: other) }
    let rest = name.utf8.drop { $0 != ReactionName.separator }
    return Record.ID(
      type: type, name: String(decoding: ReactionName.encoded(other.utf8) + rest, as: UTF8.self))
  }

  /// Returns where a record is kept that says something of a message or a conversation: there is one, by whatever name the object is
  /// meant. It has the object's identifier, unless there is one already that came before the object, and by another name.
  /// - Parameters:
  ///   - find: Finds messages and conversations.
  ///   - isThere: Whether a record is in the store.
  package func kept(
    _ find: RecordSubject.Finder, _ isThere: (Record.ID) throws -> Bool
  ) throws -> Record.ID {
    guard let subject, try !isThere(self), let object = try find(subject) else { return self }
    return try kept(of: object, isThere)
  }

  fileprivate func kept(
    of object: RecordSubject, _ isThere: (Record.ID) throws -> Bool
  ) throws -> Record.ID {
    guard object.names.count > 1 else { return self }
    for id in [self] + object.names.map(naming) where try isThere(id) { return id }
    return naming(object.names[0])
  }
}

extension Record {
  /// Returns the record as it is kept: named as `ID.kept` says, with fields that name messages and conversations in the same way. A record
  /// of the application's own is as it was given.
  /// - Throws: ``SatchelError`` `invalidValue` for what cannot be said of the message.
  package func kept(_ find: RecordSubject.Finder, _ isThere: (Record.ID) throws -> Bool) throws -> Record {
    guard let subject = id.subject, let feature = StoreFeature(recordType: id.type) else { return self }
    let object = try find(subject)
    try object.map(feature.checkTaken(by:))
    var record = self
    record.id = try object.map { try id.kept(of: $0, isThere) } ?? id
    let name = record.id.subject?.name ?? subject.name
    for field in ["message", "conversation", "parent"] where feature.recordType.field(named: field) != nil {
      guard let reference = self[field]?.referenceValue, reference.type == subject.type else { continue }
      let isSubject = object?.isNamed(reference.name) ?? false
      let meant = try isSubject ? name : field == "parent" ? find(reference)?.names.first : nil
      guard let meant, !UTF8Order.areEqual(meant, reference.name) else { continue }
      record[field] = .reference(Reference(type: reference.type, name: meant))
    }
    return record
  }
}

extension StoreFeature {
  /// The feature whose records have a type's name; nil if it is none of the library's.
  package init?(recordType name: String) {
    guard RecordType.isLibraryName(name),
      let feature = Self.allCases.first(where: { UTF8Order.areEqual($0.recordType.name, name) })
    else { return nil }
    self = feature
  }

  /// The type of the objects of which its records say something; nil of relations, which are between users.
  fileprivate var typeOfSubjects: String? {
    switch self {
    case .reactions, .threads: Reference.messages
    case .participations: Reference.conversations
    case .relations: nil
    }
  }

  /// Checks that a message may have what is said of it, by whatever way that comes.
  /// - Throws: ``SatchelError`` `invalidValue`.
  package func checkTaken(by message: RecordSubject) throws {
    let context = [message.isAnnouncement ? "announcement" : "message": message.names.first ?? ""]
    if message.isAnnouncement {
      throw SatchelError(
        .invalidValue,
        "An announcement takes no reactions and answers nothing: only messages of conversations do", context)
    }
    guard self == .reactions, message.isWithdrawn else { return }
    throw SatchelError(
      .invalidValue, "A message that was deleted for everyone takes no reactions", context)
  }
}

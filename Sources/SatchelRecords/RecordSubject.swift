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
  package var subject: Reference? {
    guard let feature = StoreFeature(recordType: type), let kind = feature.typeOfSubjects else { return nil }
    if feature == .threads { return Reference(type: kind, name: name) }
    return ReactionName.message(of: Array(name.utf8)).map {
      Reference(type: kind, name: String(decoding: $0, as: UTF8.self))
    }
  }

  /// Returns the identifier of the record that says the same of the object by another name.
  package func naming(_ other: String) -> Record.ID {
    if StoreFeature(recordType: type) == .threads { return Record.ID(type: type, name: other) }
    let rest = name.utf8.drop { $0 != ReactionName.separator }
    return Record.ID(
      type: type, name: String(decoding: ReactionName.encoded(other.utf8) + rest, as: UTF8.self))
  }

  /// Returns where a record is kept that says something of a message or a conversation, by whatever name that is meant: under its
  /// identifier, if it is there.
  /// - Parameter find: Finds messages and conversations.
  package func kept(_ find: RecordSubject.Finder) throws -> Record.ID {
    guard let subject, let object = try find(subject) else { return self }
    return kept(of: object)
  }

  /// Whether the message of which a record says something takes that. One that is not there does.
  package func isTaken(_ find: RecordSubject.Finder) throws -> Bool {
    guard let subject, let object = try find(subject) else { return true }
    return StoreFeature(recordType: type)?.isTaken(by: object) ?? true
  }

  fileprivate func kept(of object: RecordSubject) -> Record.ID {
    object.names.count > 1 ? naming(object.names[0]) : self
  }
}

extension Record {
  /// Returns the record as it is kept: named as `ID.kept` says, with fields that name messages and conversations in the same way. A record
  /// of the application's own is as it was given.
  /// - Throws: ``SatchelError`` `invalidValue` for what cannot be said of the message.
  package func kept(_ find: RecordSubject.Finder) throws -> Record {
    guard let subject = id.subject, let feature = StoreFeature(recordType: id.type) else { return self }
    let object = try find(subject)
    try object.map(feature.checkTaken(by:))
    var record = self
    record.id = object.map(id.kept(of:)) ?? id
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

  /// Returns a record of the library's that names an object by any of its names as one that names it by its identifier; nil if the object
  /// does not take what it says. A message does not answer itself, nor one whose identifier is longer than one in a reference.
  package func said(of object: RecordSubject) -> Record? {
    guard let record = try? kept({ object.isNamed($0.name) ? object : nil }) else { return nil }
    let answers = record["parent"]?.referenceValue?.name
    let isTooLong = answers.map { $0.utf8.count > Metadata.maximumValueBytes } ?? false
    return isTooLong || record["parent"] == record["message"] ? record.answeringNothing : record
  }

  /// The same record of a message that answers no other one.
  package var answeringNothing: Record {
    var record = self
    record["parent"] = nil
    return record
  }

  /// Returns what two records of one type say of the same as one record: what this one says, and the rest by the other one. Of the library's
  /// records, a conversation is read up to the greater of two positions, and a reaction is sent if one of them is.
  package func joined(with other: Record) -> Record {
    var (record, rest) = (self, other)
    let both = [self, other]
    switch StoreFeature(recordType: type) {
    case .reactions: if both.contains(where: { $0["state"] == "sent" }) { record["state"] = "sent" }
    case .participations:
      // What is true, and since when, go together.
      for (flag, date) in [("isPinned", "pinnedAt"), ("isArchived", "archivedAt"), ("isMuted", "mutedUntil")]
      where record[flag] != nil { rest[date] = nil }
      let position = both.compactMap { $0["lastReadPosition"]?.integerValue }.max()
      if let position { record["lastReadPosition"] = .integer(position) }
    case .threads, .relations, nil: break
    }
    let fields = MetadataTree(rest.fields)
    _ = fields.apply(.merge(record.fields))
    record.fields = fields.metadata()
    record.createdTimestamp = both.compactMap(\.createdTimestamp).min()
    record.updatedTimestamp = both.compactMap(\.updatedTimestamp).max()
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

  /// Whether a message may have what is said of it: as `checkTaken`.
  package func isTaken(by message: RecordSubject) -> Bool {
    !message.isAnnouncement && !(self == .reactions && message.isWithdrawn)
  }

  /// Checks that a message may have what is said of it, by whatever way that comes.
  /// - Throws: ``SatchelError`` `invalidValue`.
  package func checkTaken(by message: RecordSubject) throws {
    guard !isTaken(by: message) else { return }
    let context = [message.isAnnouncement ? "announcement" : "message": message.names.first ?? ""]
    if message.isAnnouncement {
      throw SatchelError(
        .invalidValue,
        "An announcement takes no reactions and answers nothing: only messages of conversations do", context)
    }
    throw SatchelError(
      .invalidValue, "A message that was deleted for everyone takes no reactions", context)
  }
}

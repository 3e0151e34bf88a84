public import Satchel
public import SatchelModel
import SatchelReading
public import SatchelRecords
import SatchelText
import SatchelWriting

extension WriteTransaction {
  /// Stores that a user is related to another one. To relate them twice changes nothing.
  ///
  /// ```swift
  /// try transaction.relate(.following, to: "bob")
  /// try transaction.relate(.following, from: "carol", to: "bob")
  /// ```
  /// - Parameters:
  ///   - kind: What the one is to the other. A friendship is an edge each way.
  ///   - from: Who is related to the other one; nil for the store's user.
  ///   - to: The other one. Neither needs an identity in the store.
  /// - Returns: The edge as it is stored.
  /// - Throws: ``SatchelError`` `unknownRecordType` if relations are off in the store; `invalidIdentifier`; `invalidValue` for a name that is
  ///   none of a kind, and for a user and themselves. In each case nothing has changed.
  /// - Complexity: O(log n).
  @discardableResult
  public func relate(
    _ kind: RelationKind, from: Identity.ID? = nil, to: Identity.ID
  ) throws -> Relation {
    try perform {
      let relation = try relation(kind, from, to)
      let id = Record.ID(type: Relation.recordType.name, name: relation.id)
      let record =
        try writer.hasRecord(id)
        ? writer.flushed.read { snapshot in try snapshot.locateRecord(id).map { try snapshot.makeRecord($0) }
        }
        : nil
      return try (record ?? writer.save(Record(relation))).value(as: Relation.self)
    }
  }

  /// Ends that a user is related to another one. If they are not, nothing changes.
  /// - Parameters:
  ///   - kind: What the one was to the other. The edge in the other direction stays.
  ///   - from: Who was related to the other one; nil for the store's user.
  ///   - to: The other one.
  /// - Returns: Whether they were related.
  /// - Throws: As `relate(_:from:to:)`.
  /// - Complexity: O(log n).
  @discardableResult
  public func unrelate(_ kind: RelationKind, from: Identity.ID? = nil, to: Identity.ID) throws -> Bool {
    try perform {
      let id = Record.ID(type: Relation.recordType.name, name: try relation(kind, from, to).id)
      guard try writer.hasRecord(id) else { return false }
      try writer.delete(record: id)
      return true
    }
  }

  private func relation(
    _ kind: RelationKind, _ from: Identity.ID?, _ to: Identity.ID
  ) throws -> Relation {
    _ = try writer.flushed.read { try $0.recordType(of: .relations) }
    try kind.check()
    let from = from ?? writer.user
    try Writer.check(identifier: from.rawValue, "from")
    try Writer.check(identifier: to.rawValue, "to")
    guard !UTF8Order.areEqual(from.rawValue, to.rawValue) else {
      throw SatchelError(
        .invalidValue, "A user is related to another one", ["kind": kind.rawValue, "user": to.rawValue])
    }
    return Relation(kind, from: from, to: to)
  }
}

extension RelationKind {
  /// - Throws: ``SatchelError`` `invalidValue` for a name that is none of a kind.
  func check() throws {
    guard isValid else {
      throw SatchelError(
        .invalidValue, "This is not the name of a kind of relations",
        ["found": rawValue, "expected": Self.rule])
    }
  }
}

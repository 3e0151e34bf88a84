import SatchelReading
public import SatchelRecords

extension WriteTransaction {
  /// Lets the store keep what some features are about from now on: declares the record types of these features. What is on
  /// already stays so.
  /// - Throws: ``SatchelError`` `recordTypeDiffers` if the store has such a type of a later version of the library with other fields.
  public func enable(_ features: StoreFeature...) throws { try declare(features.map(\.recordType)) }
}

extension MessageStore {
  /// Lets the store keep what some features are about from now on, in a write of its own. What is on already is only looked at: call it
  /// whenever you open the store.
  /// - Throws: As `WriteTransaction.enable(_:)`; and as a write.
  public func enable(_ features: StoreFeature...) throws {
    let missing = try read { try $0.missing(features) }
    if !missing.isEmpty { try write { try $0.declare(missing) } }
  }

  /// Lets the store keep what some features are about from now on, in a write of its own. What is on already is only looked at.
  /// - Throws: As the synchronous form.
  public func enable(_ features: StoreFeature...) async throws {
    let missing = try await read { try $0.missing(features) }
    if !missing.isEmpty { try await write { try $0.declare(missing) } }
  }
}

extension StoreSnapshot {
  /// Returns the types that are not declared, or not with all of their fields.
  fileprivate func missing(_ features: [StoreFeature]) throws -> [RecordType] {
    try perform {
      try features.map(\.recordType).filter { type in
        guard let known = try base.recordType(named: type.name)?.type else { return true }
        return !type.fields.allSatisfy { known.field(named: $0.name) == $0 }
      }
    }
  }
}

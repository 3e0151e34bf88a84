internal import SatchelModel
internal import SatchelText

/// What becomes of a record when the object is deleted to which one of its declared fields refers. It is looked at when the write ends, so
/// that the order within a write does not matter.
///
/// A field that is not declared has no action: what it refers to is missing from then on.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ReferenceAction: String, Sendable, Hashable, CaseIterable {
  /// The object cannot be deleted: the write fails with ``SatchelError`` `referenced`, and nothing has changed. Who deletes the
  /// record in the same write may delete the object.
  case restrict
  /// The field is taken out of the record, which is an update by the store's user.
  case nullify
  /// The record is deleted as well, with what becomes of those that refer to it.
  case cascade

  /// The action of a field for which none is declared: ``nullify`` of references to conversations, messages, announcements and
  /// identities, ``restrict`` of those to records.
  /// - Parameter type: The type of the object: ``Reference/type``.
  public static func standard(for type: String) -> ReferenceAction {
    Reference.builtIn.contains(ByteString(type)) ? .nullify : .restrict
  }

  /// The number of the action in the store's definition of a record type: it never changes its meaning. 0 is that none is declared.
  package var number: UInt8 {
    switch self {
    case .restrict: 1
    case .nullify: 2
    case .cascade: 3
    }
  }
}

extension RecordType.Field {
  /// The action, if it is another than that of a field for which none is declared: what definitions and exports have.
  package var declaredAction: ReferenceAction? { onDelete == type.standardAction ? nil : onDelete }

  /// Whether it may refer to objects of a type.
  package func mayRefer(to target: String) -> Bool {
    switch type {
    case .reference(nil): true
    case .reference(let type?): UTF8Order.areEqual(type, target)
    default: false
    }
  }

  /// What becomes of a record when an object of a type is deleted to which its value refers.
  package func action(for target: String) -> ReferenceAction { onDelete ?? .standard(for: target) }
}

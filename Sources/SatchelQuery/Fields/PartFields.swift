public import SatchelModel

/// The queryable properties of a part of a message.
public struct PartFields: Sendable {
  init() {}

  /// The identifier: `MESSAGE/parts/INDEX`.
  public var identifier: FieldTypes.Identifier<MessagePart> { .init(propertyPath: ["identifier"]) }
  /// The message of the part.
  public var message: MessageReferenceFields { MessageReferenceFields(["message"]) }
  /// The index of the part in its message, from 0.
  public var index: FieldTypes.Number { .init(propertyPath: ["index"]) }
  /// The MIME type.
  public var mimeType: FieldTypes.Text { .init(propertyPath: ["mimeType"]) }
  /// The size of the content in bytes; missing for a link that does not declare it.
  public var size: FieldTypes.OptionalNumber { .init(propertyPath: ["size"]) }
  /// The text; missing if the content is not a text.
  public var text: FieldTypes.OptionalText { .init(propertyPath: ["text"]) }
  /// How far the content has got on its way. Sorts from `awaitingUpload` to `complete`.
  public var transferStatus: FieldTypes.Enumeration<TransferStatus> {
    .init(propertyPath: ["transferStatus"])
  }
}

/// The queryable properties of a part, in the closures of a message's ``FieldTypes/Parts``.
public struct PartOfMessageFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The MIME type.
  public var mimeType: FieldTypes.Text { .init(propertyPath: prefix + ["mimeType"]) }
  /// The size of the content in bytes; missing for a link that does not declare it.
  public var size: FieldTypes.OptionalNumber { .init(propertyPath: prefix + ["size"]) }
  /// The text; missing if the content is not a text.
  public var text: FieldTypes.OptionalText { .init(propertyPath: prefix + ["text"]) }
  /// How far the content has got on its way. Sorts from `awaitingUpload` to `complete`.
  public var transferStatus: FieldTypes.Enumeration<TransferStatus> {
    .init(propertyPath: prefix + ["transferStatus"])
  }
}

extension TransferStatus: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(name) }
}

public import SatchelModel

/// The queryable properties of a part of a message.
public struct PartFields: Sendable {
  init() {}

  /// The identifier: `MESSAGE/parts/INDEX`.
  public var identifier: FieldTypes.Identifier<MessagePart> { .init(propertyPath: ["identifier"]) }
  /// Its message.
  public var message: MessageReferenceFields { MessageReferenceFields(["message"]) }
  /// Its place in the message, from 0.
  public var index: FieldTypes.Number { .init(propertyPath: ["index"]) }
  /// The MIME type.
  public var mimeType: FieldTypes.Text { .init(propertyPath: ["mimeType"]) }
  /// The bytes of its content; missing for a link that does not declare it.
  public var size: FieldTypes.OptionalNumber { .init(propertyPath: ["size"]) }
  /// The text; missing for other content.
  public var text: FieldTypes.OptionalText { .init(propertyPath: ["text"]) }
}

/// What a message shows of its parts.
public struct PartOfMessageFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The MIME type.
  public var mimeType: FieldTypes.Text { .init(propertyPath: prefix + ["mimeType"]) }
  /// The bytes of its content; missing for a link that does not declare it.
  public var size: FieldTypes.OptionalNumber { .init(propertyPath: prefix + ["size"]) }
  /// The text; missing for other content.
  public var text: FieldTypes.OptionalText { .init(propertyPath: prefix + ["text"]) }
}

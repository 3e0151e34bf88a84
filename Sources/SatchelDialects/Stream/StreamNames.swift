public import SatchelQuery

/// A name that Stream has for a type of channels or of attachments, or one of the application's own.
public struct StreamName<Kind: Sendable>: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable,
  FilterValue
{
  /// The name.
  public let rawValue: String

  /// Makes a type from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a type from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The name as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(rawValue) }
}

/// What tells names of types of channels from others.
public enum ChannelTypes: Sendable {}
/// What tells names of types of attachments from others.
public enum AttachmentTypes: Sendable {}

/// The type of a channel.
public typealias ChannelType = StreamName<ChannelTypes>
/// The type of an attachment: `image`, `video` or `audio`, or a MIME type. Other names of Stream's are refused.
public typealias AttachmentType = StreamName<AttachmentTypes>

extension StreamName where Kind == ChannelTypes {
  /// A conversation of a few people.
  public static var messaging: Self { "messaging" }
  /// A stream that many see.
  public static var livestream: Self { "livestream" }
  /// A team's channel.
  public static var team: Self { "team" }
  /// A game's channel.
  public static var gaming: Self { "gaming" }
  /// A seller's and a buyer's channel.
  public static var commerce: Self { "commerce" }
  /// A type of the application's own.
  public static func custom(_ name: String) -> Self { Self(rawValue: name) }
}

extension StreamName where Kind == AttachmentTypes {
  /// Parts whose MIME type begins with `image/`.
  public static var image: Self { "image" }
  /// Parts whose MIME type begins with `video/`.
  public static var video: Self { "video" }
  /// Parts whose MIME type begins with `audio/`.
  public static var audio: Self { "audio" }
  /// Files, which is refused: ask for their MIME type.
  public static var file: Self { "file" }
}

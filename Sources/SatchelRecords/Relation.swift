package import SatchelModel

/// What one user is to another: `following`, `friend`, `blocked`, or a kind of the application's own.
///
/// ```swift
/// extension RelationKind { static let colleague = RelationKind("colleague") }
/// ```
public struct RelationKind: Sendable, Hashable, RawRepresentable, Codable, ExpressibleByStringLiteral {
  /// The name: 1 to 64 of `A-Z a-z 0-9 _ -`. Whether it is one is checked when the kind is used.
  public let rawValue: String

  /// Makes the kind with a name.
  public init(_ name: String) { rawValue = name }
  /// Makes the kind with a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes the kind with a name.
  public init(stringLiteral name: String) { rawValue = name }

  /// One follows the other.
  public static let following = RelationKind("following")
  /// One is a friend of the other. Two are friends if each is one of the other: where no direction is given, it is
  /// ``RelationDirection/mutual``.
  public static let friend = RelationKind("friend")
  /// One has blocked the other.
  public static let blocked = RelationKind("blocked")

  /// The direction where none is given: mutual of friends, outward of all others.
  public var standardDirection: RelationDirection { self == .friend ? .mutual : .outward }

  /// Whether the name is one of a kind.
  package var isValid: Bool { Metadata.isName(rawValue) && rawValue.utf8.count <= 64 }

  /// What an error says of names of kinds.
  package static let rule = "a kind of relations: 1 to 64 of A-Z a-z 0-9 _ -, such as following"
}

/// Which way a relation between a user and others leads.
public enum RelationDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// From the user to the others: whom the user follows.
  case outward
  /// From the others to the user: who follows the user.
  case inward
  /// Both ways.
  case mutual
}

/// The users who are related to a user.
package struct RelatedUsers: Hashable, Sendable {
  package let kind: RelationKind
  package let direction: RelationDirection
  /// To whom they are related.
  package let user: Identity.ID

  package init(_ kind: RelationKind, _ direction: RelationDirection, to user: Identity.ID) {
    self.kind = kind
    self.direction = direction
    self.user = user
  }

  /// The names of the edges, one of these users' or two, that have to be there for another user to be one of them.
  /// - Parameter other: The bytes of the user id.
  package func edges(of other: [UInt8]) -> [[UInt8]] {
    let user = Array(user.rawValue.utf8)
    return switch direction {
    case .outward: [RelationName.bytes(kind, from: user, to: other)]
    case .inward: [RelationName.bytes(kind, from: other, to: user)]
    case .mutual:
      [RelationName.bytes(kind, from: user, to: other), RelationName.bytes(kind, from: other, to: user)]
    }
  }
}

/// The names of the records of relations: the kind, the user from whom and the user to whom, with slashes between them. Of the user ids, a
/// slash, a percent sign and every byte of a scalar that is not ASCII is a percent sign and two digits there. So a name says which three they
/// are, and is the same in all canonical forms of Unicode.
///
/// There is one edge of a kind from one user to another. The names of a type, which are sorted by their bytes, have the edges from one user
/// side by side; the field `inverse` of an edge is the name that the edge in the other direction has, so that the values of that field
/// have the edges to one user side by side.
package enum RelationName {
  private static let slash = UInt8(ascii: "/")
  private static let percent = UInt8(ascii: "%")

  /// Returns the name of an edge.
  package static func name(_ kind: RelationKind, from: String, to: String) -> String {
    String(decoding: bytes(kind, from: Array(from.utf8), to: Array(to.utf8)), as: UTF8.self)
  }

  /// Returns the name of an edge, of user ids as bytes.
  package static func bytes(_ kind: RelationKind, from: [UInt8], to: [UInt8]) -> [UInt8] {
    prefix(kind, of: from) + encoded(to)
  }

  /// Returns what the names of all edges of a kind from a user begin with, and no others; of the values of `inverse`, those of the edges
  /// to the user.
  package static func prefix(_ kind: RelationKind, of user: [UInt8]) -> [UInt8] {
    Array(kind.rawValue.utf8) + [slash] + encoded(user) + [slash]
  }

  private static func encoded(_ user: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(user.count)
    for byte in user {
      if byte == slash || byte == percent || byte >= 0x80 {
        bytes += [percent, digit(byte >> 4), digit(byte & 15)]
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Returns the user id of which a name has this.
  package static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(percent) else { return Array(bytes) }
    var user: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == percent, rest.count >= 2 else {
        user.append(byte)
        continue
      }
      user.append(value(rest[rest.startIndex]) << 4 | value(rest[rest.startIndex + 1]))
      rest = rest.dropFirst(2)
    }
    return user
  }

  private static func value(_ digit: UInt8) -> UInt8 {
    digit < UInt8(ascii: "A") ? (digit &- UInt8(ascii: "0")) & 15 : (digit &- UInt8(ascii: "A") &+ 10) & 15
  }
}

extension Reference {
  /// What the bytes of every reference to a user begin with, before the user id.
  package static let identityPrefix = Array(identities.utf8) + [0]
}

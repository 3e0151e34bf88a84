/// The names of the records of reactions: the message's identifier, the kind and the user id, with slashes between them. A slash in one of
/// them is %2F there, and a percent sign %25, so that a name says which three they are.
///
/// So there is one reaction of a user of a kind to a message, and the names of a type, which are sorted by their bytes, have those of one
/// message side by side, and of these those of one kind: a range of names is what is counted.
package enum ReactionName {
  /// What stands between the parts.
  package static let separator = UInt8(ascii: "/")

  /// Returns the name of a reaction.
  package static func name(message: String, kind: String, user: String) -> String {
    String(
      decoding: prefix(ofMessage: message.utf8) + encoded(kind.utf8) + [separator] + encoded(user.utf8),
      as: UTF8.self)
  }

  /// Returns what the names of all reactions to a message begin with, and no others.
  package static func prefix(ofMessage message: some Sequence<UInt8>) -> [UInt8] {
    var prefix = encoded(message)
    prefix.append(separator)
    return prefix
  }

  /// Returns a part as names have it.
  package static func encoded(_ part: some Sequence<UInt8>) -> [UInt8] {
    let plain = Array(part)
    guard plain.contains(where: { $0 == separator || $0 == UInt8(ascii: "%") }) else { return plain }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(plain.count + 16)
    for byte in plain {
      switch byte {
      case separator: bytes.append(contentsOf: "%2F".utf8)
      case UInt8(ascii: "%"): bytes.append(contentsOf: "%25".utf8)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns a part of what a name has of it.
  package static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var part: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        part.append(byte)
        continue
      }
      part.append(rest.dropFirst().first == UInt8(ascii: "F") ? separator : byte)
      rest = rest.dropFirst(2)
    }
    return part
  }

  /// Returns the identifier of the message of a name; nil if it is none of a reaction.
  package static func message(of name: [UInt8]) -> [UInt8]? {
    name.firstIndex(of: separator).map { decoded(name[..<$0]) }
  }
}

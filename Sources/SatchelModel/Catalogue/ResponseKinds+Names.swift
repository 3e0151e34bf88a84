extension ResponseKinds {
  /// Returns the names of those that come with objects of a kind, as those of their properties.
  package static func names(of kind: ObjectKind) -> [String] {
    switch kind {
    case .messages: ["reactions", "replies"]
    case .conversations: ["participation"]
    case .parts, .announcements, .identities, .records: []
    }
  }

  /// Makes the one that a path from an object of a kind leads to; nil if it leads to none.
  package init?(path: [String], of kind: ObjectKind) {
    switch (kind, path) {
    case (.messages, ["reactions"]): self = .reactions
    case (.messages, ["replies"]): self = .replies
    case (.conversations, ["participation"]): self = .participation
    default: return nil
    }
  }
}

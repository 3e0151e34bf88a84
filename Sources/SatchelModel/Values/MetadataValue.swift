/// A text or a dictionary. A later version will have more kinds of values, so a `switch` outside of this package needs
/// an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum MetadataValue: Sendable {
  /// A text of at most ``Metadata/maximumValueBytes`` UTF-8 bytes.
  case text(String)
  /// A nested dictionary.
  case dictionary(Metadata)
}

extension MetadataValue: Hashable {
  /// Whether both are equal; texts are, if they are canonically equivalent (NFC).
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)):
      UTF8Order.areEqual(left, right) || UTF8Order.areEqual(NFC.normalized(left), NFC.normalized(right))
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): UTF8Order.hash(NFC.normalized(text), into: &hasher)
    case .dictionary(let metadata): hasher.combine(metadata)
    }
  }
}

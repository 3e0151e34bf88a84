import SatchelText

/// Equality and hashing of values that consist of several texts, by the bytes of the texts.
package enum ExactText {
  package static func areEqual(_ left: [String], _ right: [String]) -> Bool {
    left.elementsEqual(right, by: UTF8Order.areEqual)
  }

  package static func hash(_ texts: [String], into hasher: inout Hasher) {
    hasher.combine(texts.count)
    for text in texts { UTF8Order.hash(text, into: &hasher) }
  }

  package static func areEqual(_ left: Metadata, _ right: Metadata) -> Bool {
    left.entries.elementsEqual(right.entries) { left, right in
      guard UTF8Order.areEqual(left.key, right.key) else { return false }
      return switch (left.value, right.value) {
      case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
      case (.dictionary(let left), .dictionary(let right)): areEqual(left, right)
      case (.list(let list), .dictionary(let metadata)), (.dictionary(let metadata), .list(let list)):
        list.isEmpty && metadata.isEmpty
      default: left.value.hasSameBytes(as: right.value)
      }
    }
  }

  package static func hash(_ metadata: Metadata, into hasher: inout Hasher) {
    hasher.combine(metadata.count)
    for entry in metadata.entries {
      UTF8Order.hash(entry.key, into: &hasher)
      switch entry.value {
      case .text(let text): UTF8Order.hash(text, into: &hasher)
      case .dictionary(let inner): hash(inner, into: &hasher)
      // An empty list is printed as an empty dictionary.
      case .list(let texts): texts.isEmpty ? hasher.combine(0) : hash(texts, into: &hasher)
      case .integer, .number, .boolean, .date: hasher.combine(MetadataScalar(entry.value))
      case .reference(let reference): hasher.combine(reference)
      }
    }
  }
}

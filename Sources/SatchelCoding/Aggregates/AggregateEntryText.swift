internal import SatchelModel

/// The text of an entry of `aggregate.totals`, where groups may have several: the group, and which of its entries it is.
///
/// The group's bytes come first, each zero byte followed by 255, then two zero bytes. So texts are in the order of the
/// groups, whatever follows, and those of one group are all that begin like it.
package struct AggregateEntryText: Sendable, Hashable {
  /// Which entry of the group.
  package enum Part: Sendable, Hashable {
    /// The only one: the text is the bytes of the group, as they are.
    case whole
    /// A limb of the group's exact sum; see `ExactSum`.
    case limb(UInt8)
    /// The objects that have this value, which is never `missing`.
    case value(AggregateGroup)
  }

  package var group: AggregateGroup
  package var part: Part

  package init(_ group: AggregateGroup, _ part: Part) {
    self.group = group
    self.part = part
  }

  /// Returns what the texts of all entries of a group begin with, and no other text does. Where a group has one entry, that
  /// is its text.
  package static func prefix(of group: AggregateGroup, _ measure: AggregateEntry.Measure) -> [UInt8] {
    guard !measure.hasOneEntry else { return group.bytes }
    var prefix: [UInt8] = []
    for byte in group.bytes {
      prefix.append(byte)
      if byte == 0 { prefix.append(0xFF) }
    }
    return prefix + [0, 0]
  }

  /// The text.
  package var bytes: [UInt8] {
    switch part {
    case .whole: group.bytes
    case .limb(let limb): Self.prefix(of: group, .exactSum) + [limb]
    case .value(let value): Self.prefix(of: group, .minimum) + value.bytes
    }
  }

  /// Makes the entry from its text; nil if an aggregate of this measure has no such entry.
  package init?(bytes: [UInt8], _ measure: AggregateEntry.Measure) {
    guard !measure.hasOneEntry else {
      guard let group = AggregateGroup(bytes: bytes) else { return nil }
      self.init(group, .whole)
      return
    }
    guard let end = Self.endOfPrefix(bytes), let group = Self.group(ofPrefix: bytes[..<end]) else {
      return nil
    }
    let rest = Array(bytes[end...])
    if measure == .exactSum {
      guard rest.count == 1, rest[0] < ExactSum.limbs else { return nil }
      self.init(group, .limb(rest[0]))
    } else {
      guard let value = AggregateGroup(bytes: rest), value != .missing else { return nil }
      self.init(group, .value(value))
    }
  }

  /// Returns where the prefix of a group ends that a text begins with; nil if it begins with none.
  package static func endOfPrefix(_ bytes: [UInt8]) -> Int? {
    var index = 0
    while index + 1 < bytes.count {
      if bytes[index] != 0 {
        index += 1
      } else if bytes[index + 1] == 0xFF {
        index += 2
      } else {
        return bytes[index + 1] == 0 ? index + 2 : nil
      }
    }
    return nil
  }

  /// Returns the group whose prefix these bytes are; nil if they are none.
  package static func group(ofPrefix prefix: ArraySlice<UInt8>) -> AggregateGroup? {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in prefix.dropLast(2) {
      if !isEscaped { bytes.append(byte) }
      isEscaped = !isEscaped && byte == 0
    }
    return AggregateGroup(bytes: bytes)
  }
}

extension AggregateGroup {
  /// Which values of a property a minimum or a maximum is of: all, or those of one type at a key path of metadata. Their bytes
  /// are from `lower` on, and less than `upper`.
  package enum Values: Sendable {
    case all, booleans, numbers, dates, texts

    package var lower: [UInt8] {
      switch self {
      case .all: []
      case .booleans: [scalarTag, ValueKey.Tag.false]
      case .numbers: [scalarTag, ValueKey.Tag.number]
      case .dates: [scalarTag, ValueKey.Tag.date]
      case .texts: [textTag]
      }
    }

    package var upper: [UInt8] {
      switch self {
      case .all: [referenceTag + 1]
      case .texts: [textTag + 1]
      case .booleans: [scalarTag, ValueKey.Tag.number]
      case .numbers: [scalarTag, ValueKey.Tag.date]
      case .dates: [scalarTag, ValueKey.Tag.text]
      }
    }
  }
}

extension AggregateGroup: CustomStringConvertible {
  /// The value in a few words.
  package var description: String {
    switch self {
    case .missing: "without a value"
    case .integer(let number): "\(number)"
    case .scalar(let key): key.value.map { "\($0.value)" } ?? "\(key.bytes)"
    case .text(let text): String(decoding: text, as: UTF8.self)
    case .reference(let key):
      unsafe key.withUnsafeBytes { unsafe Reference(keyBytes: $0) }?.description ?? "\(key)"
    }
  }
}

extension AggregateEntryText: CustomStringConvertible {
  /// The group, and what is counted or added up of it: `lunch`, `lunch, limb 44`, `lunch, value 2.5`.
  package var description: String {
    switch part {
    case .whole: "\(group)"
    case .limb(let limb): "\(group), limb \(limb)"
    case .value(let value): "\(group), value \(value)"
    }
  }
}

/// A message as flat bytes: what is fixed first, then the texts.
enum FlatRecord {
  static let receivedAtOffset = 8
  static let flagsOffset = 24
  private static let headerBytes = 34

  private static let sent: UInt8 = 1
  private static let unread: UInt8 = 2
  static let visible: UInt8 = 4

  static func encode(_ record: MessageValues, visible isVisible: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(160 + (record.text?.utf8.count ?? 0))
    bytes.append(record.sentAt ?? .min)
    bytes.append(record.receivedAt ?? .min)
    bytes.append(record.position ?? Schema.unsent)
    bytes.append(
      (record.isSent ? sent : 0) | (record.isUnread ? unread : 0) | (isVisible ? visible : 0))
    bytes.append(UInt8(record.parts.count))
    let texts = [record.identifier, record.sender, record.recipientStatus ?? "", record.metadata ?? ""]
    for text in texts { bytes.append(UInt16(text.utf8.count)) }
    for text in texts { bytes.append(contentsOf: text.utf8) }
    for part in record.parts {
      bytes.append(UInt8(part.mimeType.utf8.count))
      bytes.append(UInt8(part.kind.rawValue))
      bytes.append(part.size ?? .min)
      let content = part.data ?? Array((part.text ?? "").utf8)
      bytes.append(UInt32(content.count))
      bytes.append(contentsOf: part.mimeType.utf8)
      bytes.append(contentsOf: content)
    }
    return bytes
  }

  static func decode(_ bytes: UnsafeRawBufferPointer, conversation: String) -> MessageValues {
    var record = MessageValues()
    record.conversation = conversation
    record.sentAt = optional(bytes.load(0))
    record.receivedAt = optional(bytes.load(8))
    let position: Int64 = bytes.load(16)
    record.position = position == Schema.unsent ? nil : position
    record.isSent = bytes[flagsOffset] & sent != 0
    record.isUnread = bytes[flagsOffset] & unread != 0
    var place = headerBytes
    func text(_ index: Int) -> String {
      let count = Int(bytes.load(26 + 2 * index) as UInt16)
      defer { place += count }
      return bytes.text(place, count)
    }
    record.identifier = text(0)
    record.sender = text(1)
    record.recipientStatus = text(2)
    record.metadata = text(3)
    let count = Int(bytes[25])
    record.parts.reserveCapacity(count)
    for _ in 0..<count {
      var part = PartValues()
      let typeCount = Int(bytes[place])
      part.kind = PartValues.Kind(rawValue: Int64(bytes[place + 1])) ?? .text
      part.size = optional(bytes.load(place + 2))
      let contentCount = Int(bytes.load(place + 10) as UInt32)
      part.mimeType = bytes.text(place + 14, typeCount)
      place += 14 + typeCount
      if contentCount <= PartValues.inlineBytes || part.kind != .data {
        if part.kind == .data {
          part.data = Array(UnsafeRawBufferPointer(rebasing: bytes[place..<place + contentCount]))
        } else {
          part.text = bytes.text(place, contentCount)
        }
      }
      place += contentCount
      record.parts.append(part)
    }
    return record
  }

  /// The identifier alone.
  static func identifier(_ bytes: UnsafeRawBufferPointer) -> String {
    bytes.text(headerBytes, Int(bytes.load(26) as UInt16))
  }

  private static func optional(_ value: Int64) -> Int64? { value == .min ? nil : value }
}

extension UnsafeRawBufferPointer {
  fileprivate func load<Value: BitwiseCopyable>(_ offset: Int) -> Value {
    loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  fileprivate func text(_ offset: Int, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: self[offset..<offset + count]), as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number as it lies in memory.
  fileprivate mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
  }

  /// Appends a number so that bytes compare as the numbers do.
  mutating func appendOrdered<Value: FixedWidthInteger>(_ value: Value) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a signed number so that bytes compare as the numbers do.
  mutating func appendOrdered(_ value: Int64) { appendOrdered(UInt64(bitPattern: value) ^ 1 << 63) }
}

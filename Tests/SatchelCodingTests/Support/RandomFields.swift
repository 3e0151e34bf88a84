import SatchelCoding
import SatchelModel
import TestSupport

extension SeededGenerator {
  mutating func bytes(_ range: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: range, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  mutating func text(_ range: ClosedRange<Int>) -> String {
    let alphabet = ["a", "b", "z", "0", "é", "e\u{301}", "ß", "漢", "👩‍👧", "\u{10FFFF}", " ", "\"", "\\", "\n"]
    return (0..<Int.random(in: range, using: &self)).map { _ in alphabet.randomElement(using: &self)! }
      .joined()
  }

  mutating func optional<T>(_ value: (inout Self) -> T) -> T? { oneIn(3) ? nil : value(&self) }

  /// A number that is as likely small as of any other magnitude.
  mutating func number<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T {
    T(truncatingIfNeeded: next() >> UInt64.random(in: 0...63, using: &self))
  }

  mutating func signed() -> Int64 {
    oneIn(8) ? [.min, .max, 0, -1].randomElement(using: &self)! : (oneIn(2) ? number() : -(number() >> 1))
  }

  mutating func metadata(depth: Int = 0) -> Metadata {
    var metadata = Metadata()
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      let key = [
        "a", "b", "theme", "Z-9_", String(repeating: "k", count: 200), "a.b", "a\\", "\\.", "'\"",
        "two words", "😀",
        "alice@example.org", "caf\u{E9}", "cafe\u{301}", "NULL", "$date", String(repeating: "k", count: 300),
      ].randomElement(using: &self)!
      if depth < 4 && oneIn(3) {
        metadata.set(.dictionary(self.metadata(depth: depth + 1)), forKey: key)
      } else {
        let list = MetadataValue.list((0..<Int.random(in: 0...3, using: &self)).map { _ in text(0...20) })
        metadata.set(oneIn(2) ? .text(text(0...20)) : oneIn(3) ? list : scalar().value, forKey: key)
      }
    }
    return metadata
  }

  /// A value of metadata that is neither a text nor a dictionary.
  mutating func scalar() -> MetadataScalar {
    switch Int.random(in: 0...3, using: &self) {
    case 0: return .boolean(oneIn(2))
    case 1: return .integer(signed())
    case 2:
      let bits = next()
      return .number(bits: Double(bitPattern: bits).isFinite ? bits : (-0.0).bitPattern)
    default: return .date(signed())
    }
  }

  mutating func part() -> StoredPart {
    let kind = [StoredPart.Kind.text, .data, .url].randomElement(using: &self)!
    let content: StoredPart.Content =
      oneIn(3) ? .stored(length: number(UInt64.self) >> 24, digest: next()) : .inline(bytes(0...60))
    let size: Int64? =
      switch Int.random(in: 0...2, using: &self) {
      case 0: nil
      case 1: Int64(bitPattern: content.length)
      default: signed()
      }
    return StoredPart(
      mimeType: number(), kind: kind, size: size,
      transferStatus: oneIn(2) ? .complete : TransferStatus.allCases.randomElement(using: &self)!,
      content: content)
  }

  mutating func messageKey() -> MessageKey {
    oneIn(4)
      ? MessageKey(announcement: number()) : MessageKey(conversation: number() >> 1, sequence: number())
  }

  mutating func message() -> StoredMessage {
    let life =
      oneIn(2)
      ? MessageLife()
      : MessageLife(
        editedAt: optional { $0.signed() }, deletedAt: oneIn(3) ? signed() : nil,
        updatedAt: optional { $0.signed() })
    // A message that was deleted for everyone has nothing else.
    let isDeleted = life.deletedAt != nil
    let users = Set((0..<Int.random(in: 0...6, using: &self)).map { _ in number(UInt32.self) }).sorted()
    return StoredMessage(
      identifier: Array(text(1...30).utf8), remoteID: oneIn(3) ? Array(text(1...30).utf8) : nil,
      sender: number(), position: optional { $0.signed() },
      sentAt: optional { $0.signed() }, receivedAt: optional { $0.signed() }, life: life,
      isSent: oneIn(2),
      isUnread: oneIn(2),
      typeSet: number(),
      recipients: isDeleted
        ? []
        : users.map {
          RecipientFields(user: $0, status: RecipientStatus.allCases.randomElement(using: &self)!)
        },
      metadata: isDeleted ? Metadata() : metadata(),
      parts: isDeleted ? [] : (0..<Int.random(in: 0...4, using: &self)).map { _ in part() })
  }

  mutating func conversation() -> StoredConversation {
    StoredConversation(
      identifier: Array(text(1...30).utf8), remoteID: oneIn(3) ? Array(text(1...30).utf8) : nil,
      participantSet: number(), createdAt: optional { $0.signed() },
      updatedAt: oneIn(3) ? signed() : nil,
      isDistinct: oneIn(2), metadata: metadata(), isVisible: oneIn(2), messageCount: number(),
      unreadCount: number(),
      last: optional { random in
        StoredConversation.Last(
          sequence: random.number(), position: random.optional { $0.signed() },
          sentAt: random.optional { $0.signed() }, receivedAt: random.optional { $0.signed() },
          isUnread: random.oneIn(2), sender: random.number())
      })
  }

  mutating func floor() -> DeletionFloor {
    DeletionFloor(position: optional { $0.signed() }, sentAt: optional { $0.signed() })
  }

  mutating func identity() -> StoredIdentity {
    var identity = Identity(userID: "", metadata: metadata())
    for field in ObjectField.ofIdentities {
      switch field.type {
      case .boolean: identity[field] = .boolean(oneIn(2))
      case .date: identity[field] = .date(optional { Timestamp(microseconds: $0.signed()) })
      case .enumeration(let enumeration):
        let count = UInt8(enumeration.names.count)
        identity[field] = .choice(optional { $0.number() % count })
      default: identity[field] = .text(optional { $0.text(0...20) })
      }
    }
    return StoredIdentity(identity, user: number())
  }

  mutating func header() -> StoreHeader {
    StoreHeader(
      versions: .init(
        format: number(), minimumReader: number(), indexSet: number(),
        optionalIndexes: .init(rawValue: number()), unicode: number()),
      byteOrder: oneIn(2) ? .little : .big, wordSize: number(), pageSize: number(),
      uuid: StoreUUID(high: next(), low: next()), createdAt: signed(), user: Array(text(1...20).utf8))
  }

  mutating func seal() -> Seal {
    var seal = Seal()
    seal.commit = number()
    if oneIn(2) {
      seal.chain = number()
      seal.isJournalInUse = oneIn(2)
      if seal.isJournalInUse, oneIn(2) {
        seal.lastRecord = .init(commit: min(seal.commit, number()), chain: next())
      }
    }
    seal.nextSequence = number()
    seal.nextConversation = number()
    seal.nextIdentity = number()
    seal.nextImport = number()
    seal.nextConsumer = number()
    seal.log = .init(first: number(), count: number(), bytes: number())
    for dictionary in DictionaryKind.allCases { seal[nextID: dictionary] = number() }
    for table in Seal.Table.allCases { seal[table] = .init(count: number(), digest: next()) }
    seal.trees = bytes(0...100)
    return seal
  }

  /// - Parameter ofRecords: Whether it may be a record of an application.
  mutating func objectRow(ofRecords: Bool = true) -> ObjectRow {
    switch Int.random(in: 0...(ofRecords ? 3 : 2), using: &self) {
    case 0: .conversation(number())
    case 1: .message(messageKey())
    case 3: .record(TypedRecordKey(type: number(), sequence: number()))
    default: .identity(number())
    }
  }

  mutating func loggedValue(words: Bool) -> LoggedValue {
    switch Int.random(in: words ? 0...3 : 1...6, using: &self) {
    case 0: .word(signed())
    case 1: .missing
    case 2: .long
    case 3: .text(Array(text(0...30).utf8))
    // Only metadata has such values.
    case 4: .list((0..<Int.random(in: 0...3, using: &self)).map { _ in Array(text(0...30).utf8) })
    case 5: .reference(reference().keyBytes)
    default: .scalar(scalar())
    }
  }

  /// The parts of an edited message.
  mutating func loggedContents() -> LoggedContents {
    let count = UInt64.random(in: 0...6, using: &self)
    return LoggedContents(
      count: count,
      parts: (0..<count).filter { _ in oneIn(2) }.map { index in
        let content = bytes(0...600)
        return LoggedPart(
          index: index, mimeType: number(), kind: [.text, .data, .url].randomElement(using: &self)!,
          size: optional { $0.signed() }, length: UInt64(content.count),
          content: oneIn(4) ? nil : LoggedContent(content))
      })
  }

  mutating func logEntry() -> ChangeLogEntry {
    ChangeLogEntry(
      changes: (0..<Int.random(in: 0...5, using: &self)).map { _ in
        let object = objectRow()
        var change = LoggedChange(
          object, [.created, .updated, .deleted].randomElement(using: &self)!,
          properties: LoggedProperties(LoggedProperty.allCases.filter { _ in oneIn(3) }),
          before: LoggedProperty.allCases.filter { _ in oneIn(4) }.map {
            BeforeValue($0, loggedValue(words: true))
          },
          metadata: Set((0..<Int.random(in: 0...3, using: &self)).map { _ in number(UInt32.self) }).sorted()
            .map {
              MetadataChange(path: $0, before: loggedValue(words: false))
            })
        if case .message = object, oneIn(3) {
          change.properties.insert(.contents)
          change.contents = loggedContents()
        }
        if case .message = object, oneIn(3) {
          change.properties.insert(.recipientStatus)
          change.recipients = Set((0..<4).map { _ in number(UInt32.self) }).sorted().map {
            RecipientChange(
              user: $0, before: oneIn(3) ? nil : RecipientStatus.allCases.randomElement(using: &self))
          }
        }
        return change
      },
      ranges: (0..<Int.random(in: 0...2, using: &self)).map { _ in
        let first = number(UInt64.self)
        let last = number(UInt64.self)
        return RangeChange(
          oneIn(2) ? .conversation(number()) : .importNumber(number()),
          .init(rawValue: next() % 8 == 0 ? 7 : 1),
          sequences: min(first, last)...max(first, last), count: number())
      }, added: oneIn(3) ? runs() : [])
  }

  private mutating func runs() -> [ClosedRange<UInt64>] {
    let bounds = Set((0..<6).map { _ in number(UInt64.self) & (UInt64.max << 1) }).sorted()
    return stride(from: 0, to: bounds.count - 1, by: 2).map { bounds[$0]...bounds[$0 + 1] }
  }
}

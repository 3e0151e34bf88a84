internal import SatchelBytes
internal import SatchelModel

extension ChangeLogEntry {
  /// Returns the bytes of the record of a commit.
  package func encode(commit: UInt64) -> [UInt8] {
    var writer = RecordFrame.writer(.changeLog, version: version, capacity: 64 + 32 * changes.count)
    writer.u16(0)
    writer.varint(UInt64(changes.count))
    for change in changes { change.write(to: &writer) }
    writer.varint(UInt64(ranges.count))
    for range in ranges { range.write(to: &writer) }
    if version > 2 {
      writer.varint(UInt64(added.count))
      var next: UInt64 = 0
      for run in added {
        writer.varint(run.lowerBound - next)
        writer.varint(run.upperBound - run.lowerBound)
        // No run begins right behind another one.
        next = run.upperBound &+ 1
      }
    }
    return RecordFrame.finish(&writer, key: ObjectKey.changeLog(commit: commit).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, commit: UInt64) throws(CodingError) {
    let key = ObjectKey.changeLog(commit: commit).bytes
    let body = unsafe try RecordFrame.open(bytes, .changeLog, key: key, minimum: 4)
    let span = unsafe body.bytes
    self = try RecordFrame.decode(.changeLog) { () throws(ByteError) in
      guard span.u16(2) == 0 else { throw ByteError(offset: 2) }
      var reader = ByteReader(offset: 4)
      var entry = ChangeLogEntry()
      for _ in 0..<(try reader.length(span)) {
        entry.changes.append(try LoggedChange(&reader, span, version: span.u8(1)))
      }
      for _ in 0..<(try reader.length(span)) { entry.ranges.append(try RangeChange(&reader, span)) }
      if span.u8(1) > 2 { entry.added = try Self.readRuns(&reader, span) }
      guard entry.version == span.u8(1) else { throw ByteError(offset: 1) }
      try reader.end(span)
      return entry
    }
  }

  /// The version of the layout: the lowest that has a place for all that the entry says, so that an entry has one spelling.
  private var version: UInt8 {
    var version: UInt8 = added.isEmpty ? 1 : 3
    for change in changes { version = max(version, change.version) }
    return version
  }

  private static func readRuns(
    _ reader: inout ByteReader, _ span: RawSpan
  ) throws(ByteError) -> [ClosedRange<UInt64>] {
    var runs: [ClosedRange<UInt64>] = []
    for _ in 0..<(try reader.length(span)) {
      let start = reader.offset
      let gap = try reader.varint(span)
      let count = try reader.varint(span)
      let next = runs.last.map { $0.upperBound.addingReportingOverflow(1) } ?? (0, false)
      let (first, isPast) = next.partialValue.addingReportingOverflow(gap)
      let (last, isLonger) = first.addingReportingOverflow(count)
      guard !next.overflow, !isPast, !isLonger, gap > 0 || runs.isEmpty else {
        throw ByteError(offset: start)
      }
      runs.append(first...last)
    }
    return runs
  }
}

extension LoggedChange {
  /// The lowest version of an entry that has a place for all that the change says.
  fileprivate var version: UInt8 {
    if !recipients.isEmpty { return 3 }
    return contents == nil ? 1 : action == .deleted ? 3 : 2
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.u8(
      object.code | action.rawValue << 2 | (contents == nil ? 0 : Self.contentsFlag)
        | (recipients.isEmpty ? 0 : Self.recipientsFlag))
    object.write(to: &writer)
    writer.varint(properties.rawValue)
    let ordered = before.sorted { $0.property.rawValue < $1.property.rawValue }
    writer.varint(UInt64(ordered.count))
    for value in ordered {
      writer.u8(value.property.rawValue)
      value.value.write(to: &writer)
    }
    let paths = metadata.sorted { $0.path < $1.path }
    writer.varint(UInt64(paths.count))
    for change in paths {
      writer.varint(UInt64(change.path))
      change.before.write(to: &writer)
    }
    if !recipients.isEmpty {
      let users = recipients.sorted { $0.user < $1.user }
      writer.varint(UInt64(users.count))
      for change in users {
        writer.varint(UInt64(change.user))
        writer.u8(change.before.map { $0.rawValue + 1 } ?? 0)
      }
    }
    contents?.write(to: &writer)
  }

  fileprivate init(_ reader: inout ByteReader, _ span: RawSpan, version: UInt8) throws(ByteError) {
    let start = reader.offset
    let head = try reader.u8(span)
    let hasContents = head & Self.contentsFlag != 0
    let hasRecipients = head & Self.recipientsFlag != 0
    guard let action = Action(rawValue: (head & ~(Self.contentsFlag | Self.recipientsFlag)) >> 2),
      version > 1 || !hasContents, version > 2 || !hasRecipients
    else { throw ByteError(offset: start) }
    self.init(try ObjectRow(code: head & 3, &reader, span), action)
    properties = LoggedProperties(rawValue: try reader.varint(span))
    guard LoggedProperties.all.isSuperset(of: properties) else { throw ByteError(offset: start) }
    for _ in 0..<(try reader.length(span)) {
      let offset = reader.offset
      guard let property = LoggedProperty(rawValue: try reader.u8(span)),
        before.last.map({ $0.property.rawValue < property.rawValue }) ?? true
      else { throw ByteError(offset: offset) }
      let longest = property == .identifier ? Int.max : LoggedValue.maximumTextBytes
      let value = try LoggedValue(&reader, span, longest: longest)
      switch value {
      case .scalar, .list, .reference: throw ByteError(offset: offset)
      case .missing, .word, .text, .long: break
      }
      before.append(BeforeValue(property, value))
    }
    for _ in 0..<(try reader.length(span)) {
      let offset = reader.offset
      let path: UInt32 = try reader.number(span)
      let value = try LoggedValue(&reader, span, longest: LoggedValue.maximumTextBytes)
      if case .word = value { throw ByteError(offset: offset) }
      guard metadata.last.map({ $0.path < path }) ?? true else { throw ByteError(offset: offset) }
      metadata.append(MetadataChange(path: path, before: value))
    }
    if hasRecipients {
      guard action == .deleted || properties.contains(.recipientStatus), case .message = object else {
        throw ByteError(offset: start)
      }
      recipients = try Self.readRecipients(&reader, span)
    }
    if hasContents {
      guard action == .deleted || properties.contains(.contents), case .message = object else {
        throw ByteError(offset: start)
      }
      contents = try LoggedContents(&reader, span)
    }
  }

  private static func readRecipients(
    _ reader: inout ByteReader, _ span: RawSpan
  ) throws(ByteError) -> [RecipientChange] {
    let start = reader.offset
    var recipients: [RecipientChange] = []
    for _ in 0..<(try reader.length(span)) {
      let offset = reader.offset
      let user: UInt32 = try reader.number(span)
      let status = try reader.u8(span)
      let before = status == 0 ? nil : RecipientStatus(rawValue: status - 1)
      guard recipients.last.map({ $0.user < user }) ?? true, status == 0 || before != nil else {
        throw ByteError(offset: offset)
      }
      recipients.append(RecipientChange(user: user, before: before))
    }
    guard !recipients.isEmpty else { throw ByteError(offset: start) }
    return recipients
  }

  /// The bits of a change's first byte that say that the former contents follow, and the former statuses of recipients.
  private static let contentsFlag: UInt8 = 128
  private static let recipientsFlag: UInt8 = 64
}

extension ObjectRow {
  /// The number of the kind of object, in the log and in staging entries. No staging entry has a record: an import stages its line.
  var code: UInt8 {
    switch self {
    case .conversation: 0
    case .message: 1
    case .identity: 2
    case .record: 3
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .conversation(let row), .identity(let row): writer.varint(UInt64(row))
    case .message(let key):
      writer.varint(UInt64(key.conversation))
      writer.varint(key.sequence)
    case .record(let key):
      writer.varint(UInt64(key.type))
      writer.varint(key.sequence)
    }
  }

  init(code: UInt8, _ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) {
    switch code {
    case 0: self = .conversation(try reader.number(span))
    case 1:
      self = .message(MessageKey(conversation: try reader.number(span), sequence: try reader.varint(span)))
    case 2: self = .identity(try reader.number(span))
    case 3: self = .record(TypedRecordKey(type: try reader.number(span), sequence: try reader.varint(span)))
    default: throw ByteError(offset: reader.offset)
    }
  }
}

extension RangeChange {
  fileprivate func write(to writer: inout ByteWriter) {
    switch scope {
    case .conversation(let row):
      writer.u8(0)
      writer.varint(UInt64(row))
    case .importNumber(let number):
      writer.u8(1)
      writer.varint(UInt64(number))
    }
    writer.u8(actions.rawValue)
    writer.varint(sequences.lowerBound)
    writer.varint(sequences.upperBound - sequences.lowerBound)
    writer.varint(count)
  }

  fileprivate init(_ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) {
    let start = reader.offset
    let kind = try reader.u8(span)
    guard kind <= 1 else { throw ByteError(offset: start) }
    let number: UInt32 = try reader.number(span)
    let actions = Actions(rawValue: try reader.u8(span))
    guard actions.rawValue < 8 else { throw ByteError(offset: start) }
    let first = try reader.varint(span)
    let (last, overflow) = first.addingReportingOverflow(try reader.varint(span))
    guard !overflow else { throw ByteError(offset: start) }
    self.init(
      kind == 0 ? .conversation(number) : .importNumber(number), actions, sequences: first...last,
      count: try reader.varint(span))
  }
}

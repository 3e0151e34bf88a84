import SatchelBytes
import SatchelCoding
import SatchelModel
import SatchelRecords
import TerminalInterface

// The records that the store keeps about itself: FORMAT.md, sections 5.7 to 5.13.
extension RecordAnnotation {
  mutating func header() throws(ByteError) {
    try frame()
    try u8("byteOrder") { $0 == 1 ? "little-endian" : "big-endian" }
    try u8("wordSize")
    try u32("pageSize")
    try text(nil, count: 8, note: "magic")
    for name in ["format", "minimumReader"] { try u32(name) }
    try u16("indexSet")
    var next = self
    try u16(next.u16(nil) == 0 ? nil : "optionalIndexes")
    try u32("unicode") { "Unicode \($0 >> 16).\($0 >> 8 & 0xFF).\($0 & 0xFF)" }
    try data("uuid", count: 16)
    try optional("createdAt", isPresent: true, isDate: true)
    for name in ["node", "piece", "tailPiece", "inlineContent", "textKey"] { try u32("limits.\(name)") }
    try reserved(4)
    try text("user", count: bytes.count - 8 - offset)
  }

  mutating func indexBuild() throws(ByteError) {
    try frame()
    try u16("indexes", note: "1: messages' metadata")
    try varint("next")
  }

  mutating func seal() throws(ByteError) {
    let version = try frame()
    let dictionaries = try u8(nil) { "\($0) dictionaries" }
    let tables = try u8(nil) { "\($0) tables" }
    try u32("nextConversation")
    try u64("commit")
    try u64("nextSequence")
    try u32("nextIdentity")
    try u32("nextImport")
    try u64("log.first")
    try u64("log.count")
    try u64("log.bytes")
    try u32("nextConsumer")
    for number in 0..<dictionaries {
      try u32("nextID.\(DictionaryKind(rawValue: number).map { "\($0)" } ?? "\(number)")")
    }
    for number in 0..<Int(tables) {
      let name = Seal.Table(rawValue: number).map { "\($0)" } ?? "\(number)"
      try u64("\(name).count")
      try hash("\(name).digest")
    }
    if version >= 2 {
      try hash("journal.chain")
      try u64("journal.inUse")
    }
    if version >= 3 {
      try u64("journal.last.commit")
      try hash("journal.last.chain")
    }
    try data("trees", count: bytes.count - 8 - offset)
  }

  mutating func consumer() throws(ByteError) {
    try frame()
    try reserved(6)
    try u64("readCommit")
    try text("name", count: bytes.count - 8 - offset)
  }

  mutating func purge() throws(ByteError) {
    try frame()
    try reserved(2)
    try varint("commit")
    try varint("remaining")
    try varint("nextSequence")
  }

  mutating func staging() throws(ByteError) {
    try frame()
    let kinds = ["conversation", "message", "identity", "line"]
    let kind = try u8("created") { Int($0) < kinds.count ? kinds[Int($0)] : "unknown kind" }
    try reserved(1)
    try varint("line")
    switch kind {
    case 0, 2: try varint("row")
    case 1:
      try varint("conversation")
      try varint("sequence")
    default: try text("bytes", count: bytes.count - 8 - offset)
    }
  }

  mutating func aggregate() throws(ByteError) {
    try frame()
    let kind = try kindOfObjects()
    let flags = try u8("flags") { flags in
      [(1, "grouped"), (2, "sum"), (4, "exactSum"), (8, "minimum"), (16, "maximum")]
        .filter { flags & $0.0 != 0 }.map(\.1).joined(separator: " ")
    }
    try recordType(of: kind)
    try text("name", count: try length("bytes of the name"))
    try text("predicate", count: try length("bytes of the predicate"))
    if flags & 1 != 0 { try text("group", count: try length("bytes of the group")) }
    if flags & ~1 != 0 { try text("property", count: try length("bytes of the property")) }
  }

  mutating func declaredIndex() throws(ByteError) {
    let version = try frame()
    let kind = try kindOfObjects()
    let states = ["complete", "building", "leaving", "refused"]
    if try u8("state", note: { Int($0) < states.count ? states[Int($0)] : "unknown state" }) == 1 {
      try varint("next")
    }
    try recordType(of: kind)
    try text("name", count: try length("bytes of the name"))
    try text("predicate", count: try length("bytes of the predicate"))
    for index in 0..<(try u8(nil) { "\($0) columns" }) {
      try u8("columns[\(index)]") {
        $0 & 4 != 0 ? "words" : ["", "descending", "elements", "descending elements"][Int($0 & 3)]
      }
      try text("columns[\(index)].path", count: try length("bytes of the path"))
    }
    guard version == 2 else { return }
    try u8("flags") { $0 == 1 ? "unique" : "unknown flags" }
    for index in 0..<(try u8(nil) { "\($0) pairs of doubles" }) {
      try text("doubles[\(index)].first", count: try length("bytes of the identifier"))
      try text("doubles[\(index)].second", count: try length("bytes of the identifier"))
    }
  }

  private mutating func kindOfObjects() throws(ByteError) -> AggregateEntry.Kind? {
    AggregateEntry.Kind(
      rawValue: try u8("kind") { AggregateEntry.Kind(rawValue: $0).map { "\($0)" } ?? "unknown kind" })
  }

  private mutating func recordType(of kind: AggregateEntry.Kind?) throws(ByteError) {
    if kind == .records { try text("recordType", count: try length("bytes of the type's name")) }
  }

  mutating func recordType() throws(ByteError) {
    let version = try frame()
    try reserved(2)
    try text("name", count: try length("bytes of the name"))
    for index in 0..<(try length("fields")) {
      let name = "fields[\(index)]"
      try text(name + ".name", count: try length("bytes of the name"))
      let reference = FieldType.reference(to: nil).number
      let type = try u8(name + ".type") {
        FieldType(number: $0, to: nil).map(\.description) ?? "unknown type"
      }
      guard type == reference else { continue }
      try text(name + ".to", count: try length("bytes of the type's name"))
      guard version > 1 else { continue }
      try u8(name + ".onDelete") { number in
        number == 0
          ? "as none is declared"
          : ReferenceAction.allCases.first { $0.number == number }?.rawValue ?? "unknown action"
      }
    }
  }

  mutating func deletedMessages() throws(ByteError) {
    try frame()
    let flags = try flags(["hasPosition", "hasSentAt"])
    try reserved(1)
    try optional("floor.position", isPresent: flags & 1 != 0, isDate: false)
    try optional("floor.sentAt", isPresent: flags & 2 != 0, isDate: true)
    for index in 0..<max(0, bytes.count - 8 - offset) / 8 { try hash("hashes[\(index)]") }
  }

  mutating func changeLog(_ names: DumpNames) throws(ByteError) {
    let version = try frame()
    try reserved(2)
    for index in 0..<(try length("changed objects")) { try change("changes[\(index)]", names) }
    for index in 0..<(try length("ranges")) { try range("ranges[\(index)]") }
    guard version > 2 else { return }
    for index in 0..<(try length("runs of added sequences")) {
      try varint("added[\(index)].first")
      try varint("added[\(index)].last")
    }
  }

  private mutating func change(_ name: String, _ names: DumpNames) throws(ByteError) {
    let objects = ["conversation", "message", "identity", "record"]
    let actions = ["created", "updated", "deleted"]
    let head = try u8(name) { head in
      let action = Int(head >> 2 & 15) < actions.count ? actions[Int(head >> 2 & 15)] : "unknown action"
      return "\(objects[Int(head & 3)]) \(action)" + (head & 64 != 0 ? ", with recipients" : "")
        + (head & 128 == 0 ? "" : action == "deleted" ? ", with its parts" : ", edited")
    }
    try varint(name + (head & 3 == 3 ? ".type" : ".row"))
    if head & 1 == 1 { try varint(name + ".sequence") }
    try varint(name + ".properties") { bits in
      (0..<64).filter { bits >> UInt64($0) & 1 == 1 }
        .map { number in LoggedProperty(rawValue: UInt8(number)).map { "\($0)" } ?? "\(number)" }
        .joined(separator: " ")
    }
    for _ in 0..<(try length("values before")) {
      var property = ""
      try u8(nil) { byte in
        property = LoggedProperty(rawValue: byte).map { "\($0)" } ?? "\(byte)"
        return "property: \(property)"
      }
      try loggedValue(name + ".before.\(property)")
    }
    for _ in 0..<(try length("changed key paths")) {
      var path = ""
      try varint(nil) { number in
        path = names.metadataPath(UInt32(clamping: number)) ?? "\(number)"
        return "key path: \(path)"
      }
      try loggedValue(name + ".before.metadata.\(path)")
    }
    if head & 64 != 0 {
      for _ in 0..<(try length("recipients whose status differs")) {
        var user = ""
        try varint(nil) { number in
          user = names.user(UInt32(clamping: number)) ?? "\(number)"
          return "recipient: \(user)"
        }
        _ = try u8(name + ".before.recipientStatus.\(user)") { status in
          status == 0 ? "no recipient" : RecipientStatus(rawValue: status - 1)?.name ?? "unknown status"
        }
      }
    }
    guard head & 128 != 0 else { return }
    try varint(name + ".before.parts")
    for _ in 0..<(try length("parts that are not as they were")) {
      try formerPart(name + ".before.part", names)
    }
  }

  private mutating func formerPart(_ name: String, _ names: DumpNames) throws(ByteError) {
    let kinds = ["text", "data", "link", "unknown kind"]
    let head = try u8(name) { kinds[Int($0 & 3)] + ($0 & 8 != 0 ? ", forgotten" : "") }
    try varint(name + ".index")
    try varint(name + ".mimeType") { names.mimeType(UInt32(clamping: $0)) }
    if head & 4 != 0 { try varint(name + ".size") }
    let length = try varint(name + ".length")
    guard head & 8 == 0 else { return }
    try u64(name + ".digest")
    try text(name + ".beginning", count: Int(min(length, 256)))
  }

  private mutating func loggedValue(_ name: String) throws(ByteError) {
    switch try u8(
      nil,
      note: {
        let kinds = [
          "missing", "a number", "a text", "a long text", "a value of metadata", "a list", "a reference",
        ]
        return kinds.indices.contains(Int($0)) ? kinds[Int($0)] : "unknown"
      })
    {
    case 1:
      // A number n is stored as 2 n, or as −2 n − 1 if it is negative.
      try varint(name) { String(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    case 2: try text(name, count: try length("bytes of the text"))
    case 4: try scalar(name)
    case 5:
      for index in 0..<(try length("texts")) {
        try text("\(name)[\(index)]", count: try length("bytes of the text"))
      }
    case 6: try text(name, count: try length("bytes of the reference"))
    default: break
    }
  }

  private mutating func range(_ name: String) throws(ByteError) {
    try u8(name) { $0 == 0 ? "of a conversation" : "of an import" }
    try varint(name + ".scope")
    _ = try u8(name + ".actions") { bits in
      ["created", "updated", "deleted"].enumerated().filter { bits >> UInt8($0.offset) & 1 == 1 }
        .map(\.element).joined(separator: " ")
    }
    try varint(name + ".firstSequence")
    try varint(name + ".sequences")
    try varint(name + ".count")
  }
}

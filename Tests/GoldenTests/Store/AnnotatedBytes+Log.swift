import SatchelCoding
import SatchelModel

// The seal, the directory in it, and the change log: FORMAT.md, sections 5.8, 5.9 and 7.5.
extension AnnotatedBytes {
  mutating func seal() throws {
    try frame("seal")
    let dictionaries = try number(1, "dictionaries")
    let tables = try number(1, "tables")
    try number(4, "next conversation")
    try number(8, "commit")
    try number(8, "next message or announcement")
    try number(4, "next identity")
    try number(4, "next import")
    try number(8, "oldest commit in the log")
    try number(8, "entries of the log")
    try number(8, "bytes of the log")
    try number(4, "next consumer")
    for index in 0..<Int(dictionaries) {
      try number(4, "next id of \(DictionaryKind(rawValue: UInt8(index)).map { "\($0)" } ?? "?")")
    }
    for index in 0..<Int(tables) {
      let table = Seal.Table(rawValue: index).map { "\($0)" } ?? "?"
      try number(8, "entries of \(table)")
      try number(8, "digest of \(table)") { $0 == 0 ? "0" : "the sum of its records' checksums" }
    }
    try directory()
    try checksum()
  }

  private mutating func directory() throws {
    try number(8, "directory: commit")
    try number(8, "next inner node")
    try number(8, "next leaf")
    try number(8, "next continuation")
    let trees = try number(2, "trees")
    for _ in 0..<trees {
      let id = try number(2, "tree") { "\($0) \(TreeName.of($0))" }
      try number(1, "\(id) kind") { $0 == 1 ? "1 numbers" : "2 texts" }
      try number(1, "\(id) height")
      try number(8, "\(id) root")
      try number(8, "\(id) entries")
      try number(8, "\(id) inner nodes")
      try number(8, "\(id) leaves")
      try reserved(8)
    }
    try number(8, "directory: checksum") { _ in "hash of the directory before" }
  }

  mutating func changeLogEntry() throws {
    let version = try frame("change-log entry")
    try reserved(2)
    for _ in 0..<(try varint("objects")) { try change() }
    for _ in 0..<(try varint("ranges")) {
      try number(1, "scope") { $0 == 0 ? "a conversation" : "an import" }
      try varint("number")
      try number(1, "actions") { Self.flags($0, ["created", "updated", "deleted"]) }
      try varint("first sequence")
      try varint("last sequence less the first")
      try varint("objects")
    }
    if version > 2 {
      for _ in 0..<(try varint("runs of added sequences")) {
        try varint("first sequence behind the run before")
        try varint("length less one")
      }
    }
    try checksum()
  }

  private mutating func change() throws {
    let kinds = ["conversation", "message", "identity"]
    let actions = ["created", "updated", "deleted"]
    let head = try number(1, "change") {
      "\(kinds[Int($0 & 3) % 3]) \(actions[Int($0 >> 2 & 15) % 3])"
        + ($0 & 64 != 0 ? ", with recipients" : "")
        + ($0 & 128 == 0 ? "" : $0 >> 2 & 15 == 2 ? ", with its parts" : ", edited")
    }
    try varint(head & 3 == 1 ? "conversation" : "row") { $0 == UInt64(UInt32.max) ? "none" : "\($0)" }
    if head & 3 == 1 { try varint("sequence") }
    try varint("properties") { Self.flags($0, LoggedProperty.allCases.map { "\($0)" }) }
    for _ in 0..<(try varint("values before")) {
      let property = try number(1, "property") {
        LoggedProperty(rawValue: UInt8($0)).map { property in "\(property)" } ?? "?"
      }
      try loggedValue("before \(property)")
    }
    for _ in 0..<(try varint("key paths changed")) {
      try varint("key path (metadataPaths)")
      try loggedValue("before")
    }
    if head & 64 != 0 {
      for _ in 0..<(try varint("recipients whose status differs")) {
        try varint("recipient (users)")
        try number(1, "status before") {
          $0 == 0 ? "no recipient" : "\(RecipientStatus.allCases[Int($0 - 1) % 4])"
        }
      }
    }
    guard head & 128 != 0 else { return }
    try varint("parts before")
    for _ in 0..<(try varint("parts that are not as they were")) {
      let head = try number(1, "former part") {
        ["text", "data", "link"][Int(min($0 & 3, 2))] + ($0 & 4 != 0 ? ", has a size" : "")
          + ($0 & 8 != 0 ? ", forgotten" : "")
      }
      try varint("index")
      try varint("MIME type (mimeTypes)")
      if head & 4 != 0 { try varint("size") }
      let length = try varint("length")
      guard head & 8 == 0 else { continue }
      try number(8, "digest") { _ in "hash of the content" }
      _ = try take(Int(min(length, 256)), "beginning")
    }
  }

  private static let kindsOfValues = ["missing", "a number", "a text", "a long text", "a value of metadata"]

  private mutating func loggedValue(_ name: String) throws {
    switch try number(1, name, { Self.kindsOfValues[Int(min($0, 4))] }) {
    case 1: try varint(name) { String(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    case 2: try counted(name)
    case 4: try scalar()
    default: break
    }
  }
}

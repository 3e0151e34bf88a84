import SatchelLines
import SatchelModel
import SatchelQuery
import TerminalInterface

/// Changes of one object's properties as an update of the interchange format, whose decoder knows the names, the types and what cannot
/// be changed.
struct UpdateLine {
  /// What becomes of one property.
  struct Change {
    enum Value {
      /// What was typed, which means what the property's type makes of it.
      case text(String)
      case json(JSONValue)
    }

    let path: [String]
    /// Nil for no value any more.
    let value: Value?

    /// Reads `name=text` or `name:=json`.
    init(assignment: String) throws {
      // A name may have an equals sign in quotation marks, a value may have any.
      for place in assignment.indices where assignment[place] == "=" {
        let isJSON = assignment[..<place].last == ":"
        guard let path = Self.path(assignment[..<place].dropLast(isJSON ? 1 : 0)) else { continue }
        let text = String(assignment[assignment.index(after: place)...])
        self.path = path
        value = try isJSON ? Self.json(text, of: SortKey(path).description) : .text(text)
        return
      }
      if let name = assignment.split(separator: "=").first, name.count < assignment.count,
        !name.hasPrefix("-")
      {
        throw ToolError(
          "\"\(name.drop { $0 == ":" })\" is no name of a property: a key of other characters than letters, digits, - and _ has quotation marks, such as metadata.'a key'=VALUE, and a field whose name is a word of the query language or a number has # before it, such as '#in=VALUE'"
        )
      }
      throw ToolError(
        "a property is set by its name, = and a value, such as metadata.title=Lunch, not \"\(assignment)\"")
    }

    /// Returns the value of a JSON text; nil for `null`.
    private static func json(_ text: String, of name: String) throws -> Value? {
      let value: JSONValue
      do {
        value = try JSONValue(parsing: Array(text.utf8))
      } catch {
        throw ToolError(
          "\(name):= takes JSON, such as 5, true, \"text\", [\"a\",\"b\"] or {\"$date\":\"2024-01-03T12:00:00Z\"}, not "
            + "\"\(text)\": \(error)")
      }
      return value == .null ? nil : .json(value)
    }

    init(clearing name: String) throws {
      guard let path = Self.path(name[...]) else {
        throw ToolError("--clear takes the name of a property, such as metadata.title, not \"\(name)\"")
      }
      self.path = path
      value = nil
    }

    private static func path(_ text: Substring) -> [String]? {
      (try? SortKey(String(text))).flatMap { $0.descending ? nil : $0.path }
    }

    var name: String { SortKey(path).description }

    /// - Throws: `ToolError` if two changes are of one property.
    static func checkOnce(_ changes: [Change]) throws {
      for (index, change) in changes.enumerated()
      where changes[..<index].contains(where: { SortKey($0.path) == SortKey(change.path) }) {
        throw ToolError("\(change.name) is set twice")
      }
    }
  }

  let kind: ObjectKind
  let identifier: String

  init(of kind: ObjectKind, _ identifier: String) {
    self.kind = kind
    self.identifier = identifier
  }

  /// Returns the update that makes all the changes.
  /// - Throws: `ToolError` for the first of them that cannot be made.
  func record(_ changes: [Change]) throws -> InterchangeRecord {
    try Change.checkOnce(changes)
    for change in changes { try check(change) }
    return try decode(changes)
  }

  /// Decodes a change alone, so that the error is about it.
  private func check(_ change: Change) throws {
    if change.path.count == 1, change.value != nil, let key = Self.keyed[change.path.joined()] {
      throw ToolError("\(change.name) takes a name behind it: \(key)=VALUE")
    }
    if change.path == ["parts"] { throw ToolError("parts are changed by satchel edit") }
    if change.value == nil, !mayClear(change.path) {
      throw ToolError("\(change.name) always has a value, which --clear cannot take")
    }
    var decoder = RecordDecoder()
    do throws(LineError) {
      _ = try decoder.decode(bytes([change]))
    } catch {
      // Named as it was typed, without the place in the line.
      var reason = error.reason
      for (place, name) in [("set.", ""), ("metadata.set.", "metadata.")] where reason.hasPrefix(place) {
        reason = name + reason.dropFirst(place.count)
      }
      // What was typed is a text to the decoder, whatever it was meant as.
      if case .text(let text)? = change.value, reason.hasSuffix("not a text") {
        throw ToolError("\(reason.dropLast("a text".count))\"\(text)\"")
      }
      throw ToolError(reason)
    }
    guard decoder.unknownKeys == 0 else {
      let names = names()
      let meant = Spelling.nearest(to: change.name, of: names).map { "did you mean \($0)?" }
      throw ToolError(
        "\(kind.rawValue) have no property \"\(change.name)\" that can be set: "
          + (meant ?? names.joined(separator: ", ")))
    }
  }

  private func decode(_ changes: [Change]) throws -> InterchangeRecord {
    var decoder = RecordDecoder()
    guard case .record(let record) = try decoder.decode(bytes(changes)) else {
      throw ToolError("the changes make no update")
    }
    return record
  }

  /// Properties that have a value for each of several users, parts or keys.
  private static let keyed = [
    "metadata": "metadata.KEY", "recipientStatus": "recipientStatus.USER",
    "transferStatus": "transferStatus.INDEX",
  ]

  /// Whether a property may have no value. The decoder takes null of any other for what an absent key means: of isSent for true.
  private func mayClear(_ path: [String]) -> Bool {
    guard let property = try? ObjectProperty(path: path, of: kind) else { return true }
    // Those two are only ever set.
    return property.isOptional && path != ["remoteID"] && path != ["updatedAt"]
  }

  /// The names that the decoder takes for an object of the kind, but for the parts: `edit` changes these.
  /// - Parameter clearing: Whether only those that may have no value are wanted.
  func names(clearing: Bool = false) -> [String] {
    let names = RecordDecoder.keys.subtracting(["parts"]).sorted().filter { key in
      if clearing, !mayClear([key]) { return false }
      var decoder = RecordDecoder()
      guard (try? decoder.decode(bytes([Change(path: [key])]))) != nil else { return false }
      return decoder.unknownKeys == 0
    }
    return names.map { Self.keyed[$0] ?? $0 }
  }

  // MARK: The line

  private func bytes(_ changes: [Change]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("kind")
    writer.string("update")
    writer.key(target)
    writer.string(identifier)
    let ofMetadata = changes.filter { $0.path.count > 1 && $0.path.first == "metadata" }
    writer.key("set")
    write(changes.filter { $0.path.count == 1 || $0.path.first != "metadata" }, to: &writer)
    writer.key("metadata")
    writer.beginObject()
    writer.key("set")
    writer.beginObject()
    for change in ofMetadata {
      writer.key(Array(change.path.dropFirst()).spelledPath)
      write(change, to: &writer)
    }
    writer.endObject()
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  private var target: String {
    switch kind {
    case .conversations: "conversation"
    case .identities: "identity"
    // The format knows announcements by what they have in common with messages.
    case .messages, .announcements, .parts: "message"
    case .records: "record"
    }
  }

  private func write(_ changes: [Change], to writer: inout JSONWriter) {
    writer.beginObject()
    var written: Set<String> = []
    for name in changes.compactMap(\.path.first) where written.insert(name).inserted {
      let ofName = changes.filter { $0.path.first == name }
      writer.key(name)
      if let change = ofName.first, change.path.count == 1 {
        write(change, to: &writer)
      } else {
        writer.beginObject()
        for change in ofName {
          writer.key(change.path.dropFirst().joined(separator: "."))
          write(change, to: &writer)
        }
        writer.endObject()
      }
    }
    writer.endObject()
  }

  /// Writes the value in the JSON of the property's type, if it is one; otherwise as a text, which the decoder refuses where it takes
  /// none.
  private func write(_ change: Change, to writer: inout JSONWriter) {
    if case .json(let json)? = change.value { return writer.value(json) }
    guard case .text(let value)? = change.value else { return writer.null() }
    switch (try? ObjectProperty(path: change.path, of: kind))?.type {
    case .number: Int64(value).map { writer.integer($0) } ?? writer.string(value)
    case .boolean:
      ["true": true, "false": false][value.lowercased()].map { writer.bool($0) } ?? writer.string(value)
    case .participants:
      writer.beginArray()
      for user in value.split(separator: ",").map(\.trimmed) where !user.isEmpty { writer.string(user) }
      writer.endArray()
    default: writer.string(value)
    }
  }
}

extension UpdateLine.Change {
  fileprivate init(path: [String]) {
    self.path = path
    value = nil
  }
}

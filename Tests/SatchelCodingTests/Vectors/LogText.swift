import SatchelCoding
import SatchelModel
import TestSupport

/// Entries of the change log as lines of a vector, both ways: what follows a `change` line belongs to it.
extension ChangeLogEntry {
  init(_ reader: inout FieldReader) throws {
    self.init()
    while let line = reader.next() {
      let values = line.values
      switch line.name {
      case "change": changes.append(try LoggedChange(values))
      case "range": ranges.append(try RangeChange(values))
      case "properties" where !changes.isEmpty:
        changes[changes.count - 1].properties = LoggedProperties(
          try values.map(LoggedProperty.init(spelled:)))
      case "before" where !changes.isEmpty:
        changes[changes.count - 1].before.append(
          BeforeValue(
            try LoggedProperty(spelled: try Literal.word(values, 0)), try LoggedValue(values.dropFirst())))
      case "metadata" where !changes.isEmpty:
        changes[changes.count - 1].metadata.append(
          MetadataChange(path: try Literal.number(values, 0), before: try LoggedValue(values.dropFirst())))
      case "recipient" where !changes.isEmpty:
        changes[changes.count - 1].recipients.append(try RecipientChange(values))
      case "added": added.append(try Literal.number(values, 0)...Literal.number(values, 1))
      case "parts" where !changes.isEmpty:
        changes[changes.count - 1].contents = LoggedContents(count: try Literal.number(values, 0), parts: [])
      case "former" where changes.last?.contents != nil:
        changes[changes.count - 1].contents?.parts.append(try LoggedPart(values))
      default: throw VectorError("a line means nothing: \(line.text)")
      }
    }
  }

  var lines: [FieldLine] {
    changes.flatMap(\.lines) + ranges.map(\.line)
      + added.map { FieldLine("added", "\($0.lowerBound)", "\($0.upperBound)") }
  }
}

extension LoggedProperty {
  init(spelled name: String) throws {
    guard let property = Self.allCases.first(where: { "\($0)" == name }) else {
      throw VectorError("not a property: \(name)")
    }
    self = property
  }
}

extension LoggedValue {
  init(_ values: ArraySlice<String>) throws {
    let values = Array(values)
    switch try Literal.word(values, 0) {
    case "missing": self = .missing
    case "long": self = .long
    case let word where word.hasPrefix("\""): self = .text(Array(try Literal.string(values, 0).utf8))
    case "value":
      let value = try MetadataValue(spelled: Array(values.dropFirst()))
      if case .list(let texts) = value {
        self = .list(texts.map { Array($0.utf8) })
        return
      }
      if case .reference(let reference) = value {
        self = .reference(reference.keyBytes)
        return
      }
      guard let scalar = MetadataScalar(value) else {
        throw VectorError("not a value that is no text: \(values)")
      }
      self = .scalar(scalar)
    default: self = .word(try Literal.number(values, 0))
    }
  }

  var spelling: [String] {
    switch self {
    case .missing: ["missing"]
    case .long: ["long"]
    case .word(let word): ["\(word)"]
    case .text(let bytes): [Literal.quoted(bytes)]
    case .scalar(let scalar): ["value"] + scalar.value.spelling
    case .list(let texts): ["value", "list"] + texts.map { Literal.quoted($0) }
    case .reference(let key):
      ["value"]
        + (key.withUnsafeBytes { Reference(keyBytes: $0) }.map { MetadataValue.reference($0).spelling } ?? [])
    }
  }
}

extension LoggedChange {
  fileprivate init(_ values: [String]) throws {
    guard let action = [Action.created, .updated, .deleted].first(where: { "\($0)" == values.first }) else {
      throw VectorError("not an action: \(values)")
    }
    self.init(try ObjectRow(Array(values.dropFirst())), action)
  }

  fileprivate var lines: [FieldLine] {
    var line = object.line("change")
    line.values.insert("\(action)", at: 0)
    var lines = [line]
    if !properties.isEmpty {
      var line = FieldLine("properties")
      line.values = properties.properties.map { "\($0)" }
      lines.append(line)
    }
    lines += before.map { FieldLine("before", values: ["\($0.property)"] + $0.value.spelling) }
    lines += metadata.map { FieldLine("metadata", values: ["\($0.path)"] + $0.before.spelling) }
    lines += recipients.map { FieldLine("recipient", "\($0.user)", $0.before?.name ?? "missing") }
    if let contents {
      lines.append(FieldLine("parts", "\(contents.count)"))
      lines += contents.parts.map(\.line)
    }
    return lines
  }
}

extension RecipientChange {
  /// `recipient USER STATUS`, or `missing` for one that was none.
  fileprivate init(_ values: [String]) throws {
    let name = try Literal.word(values, 1)
    let status = RecipientStatus.allCases.first { $0.name == name }
    guard status != nil || name == "missing" else { throw VectorError("not a status: \(values)") }
    self.init(user: try Literal.number(values, 0), before: status)
  }
}

extension LoggedPart {
  /// `former INDEX KIND TYPE SIZE LENGTH DIGEST BEGINNING`, or `forgotten` in place of the last two.
  fileprivate init(_ values: [String]) throws {
    let kinds: [StoredPart.Kind] = [.text, .data, .url]
    guard let kind = kinds.first(where: { "\($0)" == (values.count > 1 ? values[1] : "") }) else {
      throw VectorError("not a kind: \(values)")
    }
    let isForgotten = try Literal.word(values, 5) == "forgotten"
    self.init(
      index: try Literal.number(values, 0), mimeType: try Literal.number(values, 2), kind: kind,
      size: try Literal.word(values, 3) == "-" ? nil : try Literal.number(values, 3),
      length: try Literal.number(values, 4),
      content: isForgotten
        ? nil
        : LoggedContent(
          digest: try Literal.wordNumber(values, 5), beginning: Array(try Literal.string(values, 6).utf8)))
  }

  fileprivate var line: FieldLine {
    var line = FieldLine(
      "former", "\(index)", "\(kind)", "\(mimeType)", size.map { "\($0)" } ?? "-", "\(length)")
    if let content {
      line.values += [Literal.hexWord(content.digest), Literal.quoted(content.beginning)]
    } else {
      line.values.append("forgotten")
    }
    return line
  }
}

extension RangeChange {
  /// `range conversation|import NUMBER ACTIONS FIRST LAST COUNT`.
  fileprivate init(_ values: [String]) throws {
    let scope: Scope =
      try Literal.word(values, 0) == "conversation"
      ? .conversation(Literal.number(values, 1)) : .importNumber(Literal.number(values, 1))
    self.init(
      scope, Actions(rawValue: try Literal.number(values, 2)),
      sequences: try Literal.number(values, 3)...Literal.number(values, 4),
      count: try Literal.number(values, 5))
  }

  fileprivate var line: FieldLine {
    let (name, number) =
      switch scope {
      case .conversation(let row): ("conversation", row)
      case .importNumber(let number): ("import", number)
      }
    return FieldLine(
      "range", name, "\(number)", "\(actions.rawValue)", "\(sequences.lowerBound)", "\(sequences.upperBound)",
      "\(count)")
  }
}

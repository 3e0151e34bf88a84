import Satchel
import SatchelLines
import SatchelModel
import SatchelSearch
import SatchelText
import TerminalInterface

/// A message that was found, as one line.
struct SearchHitLine {
  private let message: Message
  private let part: Int
  private let text: String
  private let snippet: SearchSnippet

  /// Of a message that matches by other texts alone, such as its sender's name, it is the first text, or an empty one.
  /// - Returns: nil if no part matches, and no other text is looked for: then the query would not have found the message.
  init?(of pattern: SearchPattern, in message: Message, _ snapshot: StoreSnapshot) throws {
    let own = pattern.inFields([nil, "text", "parts.text"])
    self.message = message
    var first: (part: Int, text: String)?
    for (index, part) in message.parts.enumerated() {
      let text: String
      switch part.content {
      case .text(let own): text = own
      case .storedText: text = try snapshot.text(of: part.id)
      case .data, .storedData, .url: continue
      }
      let isMatch = own.matches(text)
      if isMatch || first == nil { first = (index, text) }
      if isMatch || own.isEmpty { break }
    }
    (part, text) = first ?? (0, "")
    guard pattern.namesFields || own.matches(text) else { return nil }
    snippet = own.snippet(
      of: text, bytes: max(Terminal.columns - Self.widths.reduce(0) { $0 + $1 + 2 }, 40))
  }

  /// The columns of the date, the sender and the conversation.
  private static let widths = [20, 16, 16]

  /// The line for people, with what was found in bold.
  var pieces: [(text: String, colour: Colour?)] {
    let cells = [
      ObjectTable.date(message.sentTimestamp), message.sender.rawValue, message.conversation.rawValue,
    ]
    let head = zip(cells, Self.widths).map { $0.oneLine.cut(to: $1).padded(to: $1) + "  " }.joined()
    var pieces: [(text: String, colour: Colour?)] = [(head + (snippet.isCutBefore ? "…" : ""), nil)]
    var place = snippet.range.lowerBound
    for range in snippet.highlights {
      pieces.append((String(text[place..<range.lowerBound]).oneLine, nil))
      pieces.append((String(text[range]).oneLine, .bold))
      place = range.upperBound
    }
    pieces.append(
      (String(text[place..<snippet.range.upperBound]).oneLine + (snippet.isCutBehind ? "…" : ""), nil))
    return pieces
  }

  /// Returns the line for programs.
  /// - Parameter score: How well the message matches; nil if nobody has asked.
  func json(score: Double?) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (key, value) in [
      ("message", message.id.rawValue), ("conversation", message.conversation.rawValue),
      ("sender", message.sender.rawValue),
    ] {
      writer.key(key)
      writer.string(value)
    }
    if let sentAt = message.sentTimestamp.flatMap({ try? RFC3339.format(microseconds: $0.microseconds) }) {
      writer.key("sentAt")
      writer.string(sentAt)
    }
    if let score {
      writer.key("score")
      writer.number(score)
    }
    writer.key("part")
    writer.integer(Int64(part))
    writer.key("snippet")
    writer.string(String(text[snippet.range]))
    writer.key("highlights")
    writer.beginArray()
    let scalars = text.unicodeScalars
    for range in snippet.highlights {
      writer.beginArray()
      for end in [range.lowerBound, range.upperBound] {
        writer.integer(Int64(scalars.distance(from: snippet.range.lowerBound, to: end)))
      }
      writer.endArray()
    }
    writer.endArray()
    for (key, flag) in [("isCutBefore", snippet.isCutBefore), ("isCutBehind", snippet.isCutBehind)] {
      writer.key(key)
      writer.bool(flag)
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

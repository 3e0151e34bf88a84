internal import SatchelLines

extension Chat {
  private enum Image {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
  }

  /// Writes a message's parts: mostly one text; 17 parts in 20 are `text/plain`.
  mutating func writeParts(of message: Int, _ language: Language, _ random: inout RandomStream) {
    let choice = random.below(1_000)
    // Very few messages have none at all.
    if choice < 2 { return }
    writer.key("parts")
    writer.beginArray()
    switch choice {
    case 2..<853: writeText(language)
    case 853..<893:
      writeText(language)
      writeImage(of: message, &random)
      if random.below(4) == 0 { writeImage(of: message, &random) }
    case 893..<938: writeMarkup(language)
    case 938..<968: writeImage(of: message, &random)
    case 968..<982: writePoll(language, &random)
    case 982..<990:
      writeLink("video/mp4", ".mp4", size: 200_000 + random.below(40_000_000), of: message, &random)
    default: writeDocument(of: message, &random)
    }
    writer.endArray()
  }

  private mutating func writeText(_ language: Language) {
    scratch.removeAll(keepingCapacity: true)
    composer.appendMessage(language, to: &scratch)
    writePart("text/plain")
  }

  private mutating func writeMarkup(_ language: Language) {
    scratch.removeAll(keepingCapacity: true)
    scratch += Array("<p lang=\"x\">".utf8)
    composer.appendMessage(language, to: &scratch)
    scratch += Array("</p>".utf8)
    writePart("text/html")
  }

  private mutating func writePoll(_ language: Language, _ random: inout RandomStream) {
    scratch.removeAll(keepingCapacity: true)
    scratch += Array(#"{"type":"poll","question":""#.utf8)
    composer.appendWords(language, count: 3 + random.below(5), to: &scratch)
    scratch += Array(#"","votes":"#.utf8)
    scratch.appendDecimal(Int64(random.below(40)))
    scratch.append(UInt8(ascii: "}"))
    writePart("application/json")
  }

  private mutating func writeImage(of message: Int, _ random: inout RandomStream) {
    let isPNG = random.below(2) == 0
    let type = isPNG ? "image/png" : "image/jpeg"
    if random.below(2) == 0 {
      writeContent(type, isPNG ? Image.png : Image.jpeg, &random)
    } else {
      writeLink(type, isPNG ? ".png" : ".jpg", size: 8_000 + random.lowBelow(3_000_000), of: message, &random)
    }
  }

  private mutating func writeDocument(of message: Int, _ random: inout RandomStream) {
    if random.below(2) == 0 {
      writeContent("application/pdf", Array("%PDF-1.7\n".utf8), &random)
    } else {
      writeLink("application/pdf", ".pdf", size: 20_000 + random.lowBelow(9_000_000), of: message, &random)
    }
  }

  /// Writes a part with the text in `scratch`.
  private mutating func writePart(_ mimeType: String) {
    beginPart(mimeType)
    writer.key("text")
    writer.string(utf8: scratch)
    writer.endObject()
  }

  /// Writes a part with a small content: the first bytes of a file of its type, then noise.
  private mutating func writeContent(_ mimeType: String, _ signature: [UInt8], _ random: inout RandomStream) {
    scratch.removeAll(keepingCapacity: true)
    scratch += signature
    for _ in 0..<16 + random.lowBelow(120) { scratch.append(UInt8(truncatingIfNeeded: random.next())) }
    beginPart(mimeType)
    writer.key("base64")
    writer.base64(scratch)
    writer.endObject()
  }

  /// Writes a part whose content is kept elsewhere. One in ten does not say how large the content is.
  private mutating func writeLink(
    _ mimeType: String, _ suffix: String, size: Int, of message: Int, _ random: inout RandomStream
  ) {
    scratch.removeAll(keepingCapacity: true)
    scratch += Array("https://media.example.org/".utf8)
    scratch.appendDecimal(Int64(message))
    scratch += Array("-".utf8)
    scratch.appendHexadecimal(random.next(), digits: 6)
    scratch += Array(suffix.utf8)
    beginPart(mimeType)
    writer.key("url")
    writer.string(utf8: scratch)
    if random.below(10) != 0 {
      writer.key("size")
      writer.integer(Int64(size))
    }
    writer.endObject()
  }

  private mutating func beginPart(_ mimeType: String) {
    writer.beginObject()
    writer.key("mimeType")
    writer.string(mimeType)
  }
}

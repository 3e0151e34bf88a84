/// Composes texts of words from the vocabularies.
struct TextComposer {
  private var random: RandomStream
  private let vocabularies = Vocabulary.all

  init(seed: UInt64) {
    random = RandomStream(seed: seed, purpose: 3)
  }

  /// Chooses a language for a conversation, or for a single message of it.
  mutating func chooseLanguage() -> Language {
    switch random.below(100) {
    case 0..<42: .english
    case 42..<57: .german
    case 57..<62: .french
    case 62..<67: .greek
    case 67..<75: .russian
    case 75..<81: .arabic
    case 81..<86: .hindi
    case 86..<93: .chinese
    default: .japanese
    }
  }

  /// Appends a message's text: mostly a line or less, now and then a few kilobytes.
  mutating func appendMessage(_ language: Language, to text: inout [UInt8]) {
    if random.chance(perMille: 25) {
      appendWords(.emoji, count: 1 + random.lowBelow(4), to: &text)
      return
    }
    // One message in twelve is in another language than its conversation.
    let language = random.below(12) == 0 ? chooseLanguage() : language
    let isLong = random.chance(perMille: 3)
    let length = isLong ? 600 + random.lowBelow(5_000) : random.logNormal(median: 350_000, spread: 95_000)
    appendSentences(language, length: length, to: &text)
    if random.chance(perMille: 120) {
      text.append(UInt8(ascii: " "))
      appendWords(.emoji, count: 1 + random.lowBelow(3), to: &text)
    }
  }

  /// Appends `count` words of a language, without ends of sentences.
  mutating func appendWords(_ language: Language, count: Int, to text: inout [UInt8]) {
    let vocabulary = vocabularies[Int(language.rawValue)]
    for index in 0..<count {
      if index > 0 { text += vocabulary.space }
      vocabulary.append(random.lowBelow(vocabulary.count), to: &text)
    }
  }

  /// Appends sentences until the text has grown by `length` bytes. Here and there they contain what makes a text
  /// awkward: line breaks, quotation marks, tabs, backslashes.
  private mutating func appendSentences(_ language: Language, length: Int, to text: inout [UInt8]) {
    let vocabulary = vocabularies[Int(language.rawValue)]
    let end = text.count + length
    while true {
      let wordCount = 2 + random.lowBelow(14)
      let quoted = random.chance(perMille: 20) ? random.below(wordCount) : nil
      for index in 0..<wordCount {
        if index > 0 { text += vocabulary.space }
        let word = random.lowBelow(vocabulary.count)
        if index == quoted { text.append(UInt8(ascii: "\"")) }
        vocabulary.append(word, to: &text)
        if index == quoted { text.append(UInt8(ascii: "\"")) }
        if text.count >= end { return }
      }
      text += vocabulary.sentenceEnds[random.lowBelow(vocabulary.sentenceEnds.count)]
      switch random.below(64) {
      case 0..<6: text.append(UInt8(ascii: "\n"))
      case 6: text += Array("\n\n\t- ".utf8)
      case 7: text += Array(" C:\\temp\\\u{200B} ".utf8)
      default: text += vocabulary.space
      }
    }
  }
}

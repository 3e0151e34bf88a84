/// The languages of a chat.
enum Language: UInt8, CaseIterable {
  case english, german, french, greek, russian, arabic, hindi, chinese, japanese, emoji
}

/// The words of one language, ready to be copied.
struct Vocabulary {
  /// How many words there are.
  var count: Int { ends.count }
  /// All words in UTF-8 without separators, and the offset at which each word ends. Two arrays, instead of one for
  /// each word, because a message takes a few dozen words.
  private let bytes: [UInt8]
  private let ends: [Int]
  /// The bytes between words; none in Chinese, Japanese and emoji.
  let space: [UInt8]
  /// The ends of a sentence, the most usual first.
  let sentenceEnds: [[UInt8]]

  /// - Parameter words: separated by single spaces.
  init(_ words: String, space: String = " ", sentenceEnds: [String] = [".", "?", "!", "…"]) {
    let words = words.utf8.split(separator: UInt8(ascii: " "))
    var bytes: [UInt8] = []
    ends = words.map { word in
      bytes += Array(word)
      return bytes.count
    }
    self.bytes = bytes
    self.space = Array(space.utf8)
    self.sentenceEnds = sentenceEnds.map { Array($0.utf8) }
  }

  /// Appends word `index`.
  func append(_ index: Int, to text: inout [UInt8]) {
    let start = index == 0 ? 0 : ends[index - 1]
    text += bytes[start..<ends[index]]
  }

  /// One vocabulary for each language, in the order of `Language`. Frequent words come first.
  static let all: [Vocabulary] = Language.allCases.map { language in
    switch language {
    case .english:
      Vocabulary(
        """
        the to I you it and that is we of in on for have this not be are was can do with but they at so what if there \
        just will like about know when how think me my your from would good see time one now today meeting please \
        thanks tomorrow later morning already maybe really should could after before project release build report \
        update review draft file link picture train coffee lunch weekend holiday weather question answer problem \
        customer invoice ticket server deploy database index query message conversation naïve café résumé don't won't \
        it's okay sure great sorry wait look here everyone somebody nothing everything between without understand
        """)
    case .german:
      Vocabulary(
        """
        ich du das die der ist und nicht ja wir es in zu ein mit auf so was aber auch schon noch heute morgen bitte \
        danke später vielleicht können müssen für über wäre schön Grüße Straße Bahnhof Frühstück Besprechung Entwurf \
        Rechnung Lösung Prüfung Änderung Übersicht Größe Maß Fußball Wochenende Urlaub Wetter Frage Antwort Kunde \
        natürlich eigentlich trotzdem übermorgen gestern gleich Donaudampfschifffahrtsgesellschaft Käsekuchen
        """)
    case .french:
      // Decomposed throughout: the same words composed are other bytes and the same text.
      Vocabulary(
        """
        je tu le la les est et pas on un une que pour dans avec bien oui merci demain matin apre\u{300}s \
        de\u{301}ja\u{300} tre\u{300}s e\u{301}te\u{301} pre\u{302}t gare caf\u{65}\u{301} re\u{301}union franc\u{327}ais \
        ou\u{300} c\u{327}a noe\u{308}l cou\u{302}t ho\u{302}tel proble\u{300}me ide\u{301}e fene\u{302}tre bient\u{6F}\u{302}t \
        s\u{27}il vous plai\u{302}t aujourd\u{2019}hui peut-e\u{302}tre
        """)
    case .greek:
      Vocabulary(
        """
        και το να είναι δεν με για που θα ναι όχι αύριο σήμερα καλημέρα ευχαριστώ παρακαλώ ίσως πρωί μετά πριν \
        συνάντηση αρχείο εικόνα ερώτηση απάντηση πρόβλημα καφές δρόμος σταθμός θάλασσα Ὀδυσσεύς άνθρωπος
        """, sentenceEnds: [".", ";", "!", "…"])
    case .russian:
      Vocabulary(
        """
        я и не в на что это мы он как да нет завтра сегодня спасибо пожалуйста может утром потом уже ещё всё встреча \
        отчёт файл картинка вопрос ответ проблема поезд кофе выходные погода хорошо понятно конечно объявление
        """)
    case .arabic:
      Vocabulary(
        """
        في من على إلى هذا أن لا نعم ما مع كان غدا اليوم شكرا من فضلك ربما صباح بعد قبل اجتماع ملف صورة سؤال جواب \
        مشكلة قهوة قطار عطلة الطقس مَرحَبًا إن شاء الله جميل
        """, sentenceEnds: [".", "؟", "!"])
    case .hindi:
      Vocabulary(
        """
        है और का में की के को नहीं हाँ मैं हम आप यह वह कल आज धन्यवाद कृपया शायद सुबह बाद पहले बैठक फ़ाइल चित्र प्रश्न उत्तर \
        समस्या चाय स्टेशन छुट्टी मौसम ठीक अच्छा क्षमा विद्यार्थी
        """, sentenceEnds: ["।", "?", "!"])
    case .chinese:
      Vocabulary(
        """
        的 我 你 是 不 在 了 有 他们 这个 好 明天 今天 谢谢 请 也许 早上 以后 以前 会议 文件 图片 问题 回答 咖啡 火车 周末 天气 \
        已经 可以 知道 我们 什么 怎么 项目 报告 數據庫 索引 查询 𠮷野家
        """, space: "", sentenceEnds: ["。", "？", "！"])
    case .japanese:
      Vocabulary(
        """
        の は に を が です ます 私 今日 明日 ありがとう お願いします たぶん 朝 あと 会議 ファイル 写真 質問 答え 問題 コーヒー \
        電車 週末 天気 もう まだ 分かりました すみません ｶﾀｶﾅ データベース 索引 検索 か\u{3099}き\u{3099}
        """, space: "", sentenceEnds: ["。", "？", "！", "ｗ"])
    case .emoji:
      // Skin tones, families and flags are several scalars each, some joined by U+200D.
      Vocabulary(
        """
        😀 👍 🎉 😂 ❤️ 🙏 👀 🚀 ☕️ 👍🏽 👋🏿 👩\u{200D}👩\u{200D}👧\u{200D}👦 👨🏿\u{200D}💻 🧑\u{200D}🚀 🏳️\u{200D}🌈 \
        🇩🇪 🇬🇷 🇯🇵 🇮🇳 🤷🏼\u{200D}♀️ 1️⃣ 🐈\u{200D}⬛ 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}
        """, space: "", sentenceEnds: [""])
    }
  }
}

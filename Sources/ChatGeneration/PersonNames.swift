/// First and last names by writing system, with the Latin forms that user ids are made of.
enum PersonNames {
  struct Group {
    let languageCode: String
    let first: [(nick: String, name: String)]
    let last: [String]
    /// Chinese and Japanese put the family name first, without a space.
    var isFamilyNameFirst = false

    func displayName(_ first: String, _ last: String?) -> String {
      guard let last else { return first }
      return isFamilyNameFirst ? last + first : first + " " + last
    }
  }

  struct Name {
    let nick: String
    let first: String
    /// Index into `groups`.
    let group: Int
  }

  static let alice = Name(nick: ChatGenerator.authenticatedUser, first: "Alice", group: 0)

  /// All names, one from each group in turn.
  static let all: [Name] = {
    let longest = groups.map(\.first.count).max() ?? 0
    return (0..<longest).flatMap { index in
      groups.indices.compactMap { group in
        guard index < groups[group].first.count else { return nil }
        let (nick, name) = groups[group].first[index]
        return Name(nick: nick, first: name, group: group)
      }
    }
  }()

  static let groups: [Group] = [
    Group(
      languageCode: "en",
      first: [
        ("noah", "Noah"), ("emma", "Emma"), ("oliver", "Oliver"), ("ava", "Ava"), ("sean", "Seán"),
        ("grace", "Grace"),
        ("henry", "Henry"), ("zoe", "Zoë"), ("max", "Max"), ("ruth", "Ruth"),
      ],
      last: ["Baker", "Carter", "O'Neill", "Liddell", "Hughes", "Murphy", "St. James", "Young"]),
    Group(
      languageCode: "de",
      first: [
        ("jonas", "Jonas"), ("mia", "Mia"), ("juergen", "Jürgen"), ("lena", "Lena"), ("bjoern", "Björn"),
        ("kaethe", "Käthe"), ("ulf", "Ulf"), ("greta", "Greta"),
      ],
      last: ["Müller", "Weiß", "Schäfer", "von der Heide", "Krüger", "Straßer", "Lang"]),
    // Decomposed: base letters and combining marks.
    Group(
      languageCode: "fr",
      first: [
        ("rene", "Rene\u{301}"), ("chloe", "Chloe\u{301}"), ("helene", "He\u{301}le\u{300}ne"),
        ("luc", "Luc"),
        ("anais", "Anai\u{308}s"), ("francois", "Franc\u{327}ois"),
      ],
      last: ["Lefe\u{300}vre", "Be\u{301}rard", "Martin", "Cho\u{302}le", "D\u{2019}Arcy"]),
    Group(
      languageCode: "el",
      first: [
        ("nikos", "Νίκος"), ("eleni", "Ελένη"), ("giorgos", "Γιώργος"), ("sofia", "Σοφία"),
        ("kostas", "Κώστας"),
      ],
      last: ["Παπαδάκης", "Οικονόμου", "Γεωργίου", "Αντωνίου"]),
    Group(
      languageCode: "ru",
      first: [
        ("ivan", "Иван"), ("olga", "Ольга"), ("dmitri", "Дмитрий"), ("natalia", "Наталья"),
        ("artyom", "Артём"),
        ("yulia", "Юлия"),
      ],
      last: ["Коваленко", "Шевченко", "Черных", "Седых", "Мельник"]),
    Group(
      languageCode: "ar",
      first: [("omar", "عمر"), ("layla", "ليلى"), ("yusuf", "يوسف"), ("maryam", "مريم"), ("karim", "كريم")],
      last: ["حداد", "النجار", "الخطيب", "منصور"]),
    Group(
      languageCode: "hi",
      first: [("asha", "आशा"), ("ravi", "रवि"), ("priya", "प्रिया"), ("arjun", "अर्जुन"), ("kiran", "किरण")],
      last: ["शर्मा", "पटेल", "गुप्ता", "वर्मा"]),
    Group(
      languageCode: "zh",
      first: [("mei", "美"), ("wei", "伟"), ("jing", "静"), ("xiaoming", "小明"), ("lihua", "丽华")],
      last: ["王", "李", "陈", "欧阳", "𠮷"], isFamilyNameFirst: true),
    Group(
      languageCode: "ja",
      first: [("haruka", "はるか"), ("kenji", "健二"), ("yuki", "ゆき"), ("takumi", "匠"), ("sakura", "さくら")],
      last: ["佐藤", "鈴木", "髙橋", "田中"], isFamilyNameFirst: true),
  ]
}

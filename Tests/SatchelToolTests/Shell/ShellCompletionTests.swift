import Foundation
import Testing

/// What Tab completes in the shell.
@Suite struct ShellCompletionTests {
  private let directory: Tool.Directory
  private let store: String

  private static let more = [
    Sample.header,
    #"{"kind":"conversation","identifier":"lunch break","participants":["alice","bob"],"metadata":{"title":"It's lunch","theme":{"color":"red"}}}"#,
    #"{"kind":"conversation","identifier":"tea","participants":["alice","bob"],"metadata":{"title":"Fünf-Uhr-Tee"}}"#,
    #"{"kind":"message","identifier":"m7","conversation":"lunch break","sender":"bob","position":1}"#,
    #"{"kind":"conversation","identifier":"-dash","participants":["alice"],"metadata":{"title":"Zebra"}}"#,
    #"{"kind":"conversation","identifier":"--where","participants":["alice"],"metadata":{"title":"Yak"}}"#,
    #"{"kind":"message","identifier":"m10","conversation":"-dash","sender":"alice","position":1}"#,
    #"{"kind":"message","identifier":"m11","conversation":"--where","sender":"alice","position":1}"#,
    #"{"kind":"message","identifier":"m8","conversation":"tea","sender":"bob","position":1}"#,
  ]

  init() throws {
    directory = try Tool.Directory()
    store = try SampleRecords.make(in: directory)
    let file = try directory.write("more.jsonl", lines: Self.more)
    try #require(try Tool.run("import", store, file).status == 0)
    let columns = ["--columns", "sentAt"]
    try #require(try Tool.run(["index", "declare", store, "by date", "messages"] + columns).status == 0)
    let words = ["--columns", "words parts.text"]
    try #require(try Tool.run(["index", "declare", store, "words", "messages"] + words).status == 0)
  }

  /// What is typed, and what stands there in the end. `⇥` is Tab.
  static let completions: [(typed: String, line: String)] = [
    // Commands, options, and the values of those that have some.
    ("cou⇥", "count "), ("mar⇥", "mark-read "), ("exi⇥", "exit "), ("help ag⇥", "help aggregate "),
    ("count me⇥", "count messages "), ("query messages --wh⇥", "query messages --where "),
    ("query messages --select id⇥", "query messages --select identifiers "),
    ("query --format cs⇥pa⇥", "query --format csv parts "),
    ("import x --existing m⇥", "import x --existing merge "),
    ("search noon --in te⇥", "search noon --in tea "), ("sea⇥noon --by r⇥", "search noon --by relevance "),
    ("sug⇥noo --index wor⇥", "suggest noo --index words "),
    ("suggest noo --index by⇥", "suggest noo --index by"),
    ("send lunch hello --a⇥a⇥", "send lunch hello --as alice "),
    // Properties.
    ("count messages --where isU⇥", "count messages --where isUnread "),
    ("count messages --where isu⇥", "count messages --where isUnread "),
    (
      "count conversations --where lastM⇥.send⇥use⇥", "count conversations --where lastMessage.sender.userID "
    ),
    (
      "count messages --where NOT (conv⇥.metad⇥.the⇥",
      "count messages --where NOT (conversation.metadata.theme."
    ),
    ("count conversations --where metadata.theme.⇥", "count conversations --where metadata.theme.color "),
    (
      "count messages --where position = 1 AND parts.mi⇥",
      "count messages --where position = 1 AND parts.mimeType "
    ),
    ("query messages --sort -sentA⇥", "query messages --sort -sentAt "),
    ("query messages --sort position,-rec⇥", "query messages --sort position,-receivedAt "),
    ("query messages --columns parts.te⇥", "query messages --columns parts.text "),
    ("aggregate messages --by conv⇥.par⇥", "aggregate messages --by conversation.participantCount "),
    ("aggregate parts --sum si⇥", "aggregate parts --sum size "),
    // Indexes, and the columns of one.
    ("index dec⇥", "index declare "), ("index drop by⇥", "index drop 'by date' "),
    ("index declare x con⇥", "index declare x conversations "),
    ("index declare x p⇥", "index declare x p"),
    ("index declare x messages --columns -sentA⇥", "index declare x messages --columns -sentAt "),
    (
      "index declare x conversations --columns 'each metadata.theme.co⇥",
      "index declare x conversations --columns 'each metadata.theme.color "
    ),
    (
      "index declare x messages --columns 'position, -recei⇥",
      "index declare x messages --columns 'position, -receivedAt "
    ),
    ("aggregate messages --mi⇥sentA⇥", "aggregate messages --min sentAt "),
    (
      "aggregate conversations --sum metadata.theme.co⇥",
      "aggregate conversations --sum metadata.theme.color "
    ),
    ("count messages --where recipientStatus.bo⇥", "count messages --where recipientStatus.bob "),
    ("set messages m1 isU⇥", "set messages m1 isUnread="),
    ("set messages m1 --clear sentA⇥", "set messages m1 --clear sentAt "),
    ("set conversations lunch metad⇥", "set conversations lunch metadata."),
    // Operators and words.
    ("count messages --where parts.text BEG⇥", "count messages --where parts.text BEGINSWITH "),
    ("count messages --where parts.text con⇥", "count messages --where parts.text CONTAINS "),
    ("count messages --where position NOT⇥", "count messages --where position NOT IN "),
    ("count messages --where isUnread = TRUE A⇥", "count messages --where isUnread = TRUE AND "),
    ("count messages --where tru⇥", "count messages --where TRUEPREDICATE "),
    ("count messages --where isUnread = F⇥", "count messages --where isUnread = FALSE "),
    ("count messages --where sentAt = n⇥", "count messages --where sentAt = nil "),
    ("count messages --where position IN ⇥", "count messages --where position IN {"),
    ("count messages --where sender.userID REL⇥", "count messages --where sender.userID RELATED "),
    (
      "count messages --where sender.userID RELATED 'fol⇥",
      "count messages --where sender.userID RELATED 'following' "
    ),
    (
      "count conversations --where participants RELATED {'friend', 'mu⇥",
      "count conversations --where participants RELATED {'friend', 'mutual' "
    ),
    // Names of conversations and users, and values.
    ("count messages --where conversation = 'te⇥", "count messages --where conversation = 'tea' "),
    ("count messages --where conversation = 'fünf⇥", "count messages --where conversation = 'tea' "),
    ("count messages --where conversation = \"te⇥", "count messages --where conversation = \"tea\" "),
    (
      "count messages --where conversation IN {'lunch', 'te⇥",
      "count messages --where conversation IN {'lunch', 'tea' "
    ),
    (
      "count messages --where conversation.metadata.title = 'It⇥",
      "count messages --where conversation.metadata.title = 'It\\'s lunch' "
    ),
    ("count messages --where sender.userID = 'bo⇥", "count messages --where sender.userID = 'bob' "),
    (
      "count messages --where sender.displayName = 'Bob⇥",
      "count messages --where sender.displayName = 'Bob 🎒' "
    ),
    (
      "count conversations --where participants CONTAINS {'al⇥",
      "count conversations --where participants CONTAINS {'alice' "
    ),
    ("count parts --where message.conversation = 'te⇥", "count parts --where message.conversation = 'tea' "),
    (
      "count messages --where recipientStatus.bob = 'del⇥",
      "count messages --where recipientStatus.bob = 'delivered' "
    ),
    ("count parts --where transferStatus = 'comp⇥", "count parts --where transferStatus = 'complete' "),
    ("send te⇥", "send tea "), ("send lunch' '⇥", "send 'lunch break' "),
    ("send \"lunch b⇥", "send \"lunch break\" "),
    ("send --with bo⇥", "send --with bob "), ("delete conversations te⇥", "delete conversations tea "),
    ("mark-read conversations te⇥", "mark-read conversations tea "),
    ("set identities bo⇥", "set identities bob "),
    ("delete p⇥", "delete p"), ("mark-read id⇥", "mark-read id"), ("set p⇥", "set p"),
    ("set id⇥", "set identities "),
    // Names that a command would take for options.
    ("delete conversations zeb⇥", "delete conversations -- -dash "),
    ("delete conversations -- -d⇥", "delete conversations -- -dash "),
    ("mark-read conversations lunch yak⇥", "mark-read conversations lunch -- --where "),
    ("mark-read conversations -- --where te⇥", "mark-read conversations -- --where tea "),
    ("query messages --members-of zeb⇥", "query messages --members-of -dash "),
    // What always has a value.
    ("set conversations lunch --clear part⇥", "set conversations lunch --clear part"),
    ("set messages m1 --clear isS⇥", "set messages m1 --clear isS"),
    // Within quotation marks around a predicate.
    ("count messages --where \"isU⇥", "count messages --where \"isUnread "),
    ("count messages --where \"conversation = 'te⇥", "count messages --where \"conversation = 'tea' "),
    ("count messages --where 'conversation = \"te⇥", "count messages --where 'conversation = \"tea\" "),
    (
      "count messages --where \"conversation.metadata.title = 'It⇥",
      "count messages --where \"conversation.metadata.title = 'It\\\\'s lunch' "
    ),
    // Record types, the fields that are declared and those that records have, and their values.
    ("query to⇥", "query todo "), ("count no⇥", "count note "), ("mark-read to⇥", "mark-read to"),
    ("count todo --where ti⇥", "count todo --where title "),
    ("count todo --where pl⇥st⇥", "count todo --where plan.steps "),
    ("count todo --where createdA⇥", "count todo --where createdAt "),
    ("query todo --sort -du⇥", "query todo --sort -due "), ("query todo --sort ta⇥", "query todo --sort ta"),
    ("query todo --columns title,est⇥", "query todo --columns title,estimate "),
    ("count todo --by li⇥", "count todo --by list "), ("count todo --date du⇥", "count todo --date due "),
    ("count todo --where done = F⇥", "count todo --where done = FALSE "),
    ("count todo --where list = RE⇥", "count todo --where list = REFERENCE('list', '"),
    ("count todo --where list = n⇥", "count todo --where list = nil "),
    ("count todo --where createdAt = n⇥", "count todo --where createdAt = n"),
    ("count todo --where title = 'Re⇥", "count todo --where title = 'Rest' "),
    ("count todo --where identifier = 'sh⇥", "count todo --where identifier = 'shop' "),
    ("count todo --where owner = 'bo⇥", "count todo --where owner = 'bob' "),
    ("set todo wr⇥", "set todo write "), ("set todo write ord⇥", "set todo write order="),
    ("set todo write pl⇥", "set todo write plan."), ("set todo write own⇥", "set todo write owner="),
    ("set todo write --clear du⇥", "set todo write --clear due "),
    ("set todo write --clear own⇥", "set todo write --clear own"),
    ("delete list wo⇥", "delete list work "),
    // Nothing: what is typed stays.
    ("frob⇥", "frob"), ("count messages --where isUnread = = ⇥", "count messages --where isUnread = = "),
    ("count messages --where nothing.⇥", "count messages --where nothing."),
    ("count messages --limit ⇥", "count messages --limit "),
    ("send lunch 'te⇥", "send lunch 'te"), ("query messages --sort par⇥", "query messages --sort par"),
    ("count messages --where parts.text = 'te⇥", "count messages --where parts.text = 'te"),
  ]

  @Test func completes() async throws {
    let session = try await ShellSession.start(store, state: directory("state"), columns: 160)
    for (typed, line) in Self.completions {
      session.type(typed.replacing("⇥", with: "\t") + "\u{01}\u{05}|")
      // The bar shows where the cursor is, and that all keys were taken.
      let shown = try await session.waits { $0.line.hasSuffix("|") && $0.line.hasPrefix("satchel> ") }
      #expect(shown.line == "satchel> " + line + "|", "\(typed)")
      session.type("\u{03}")
      try await session.waits { $0.line == ShellSession.prompt }
    }
    #expect(session.screen.unknown == [])
  }

  /// Candidates are listed if there are several, and nothing is lost of what was typed.
  @Test func listsCandidates() async throws {
    let session = try await ShellSession.start(store, state: directory("state"), columns: 60)
    session.type("co\t")
    try await session.waits { $0.line == "satchel> co" && $0.lines.contains("count    compact") }
    session.type("\u{15}count messages --where parts.\t")
    var screen = try await session.waits {
      $0.line == "satchel> count messages --where parts." && $0.lines.contains { $0.hasPrefix("mimeType ") }
    }
    #expect(screen.lines.contains("transferStatus"))
    session.type("\u{15}send lu\t\t")
    screen = try await session.waits { $0.lines.contains { $0.contains("(It's lunch)") } }
    #expect(screen.lines.contains { $0.contains("lunch (Lunch)") && $0.contains("lunch break (It's lunch)") })
    session.type("\u{03}")
    try await session.waits { $0.line == ShellSession.prompt }
    session.resize(20)
    session.type("count messages --where \tis")
    screen = try await session.waits {
      $0.line.hasSuffix("is") && $0.lines.contains { $0.hasPrefix("identifier") }
    }
    #expect(screen.lines.contains("isUnread") && screen.lines.contains("recipientStatus"))
    session.type("\u{03}")
  }

  /// A store that changes is seen as it is.
  @Test func seesWhatIsNew() async throws {
    let session = try await ShellSession.start(store, state: directory("state"))
    let line = #"{"kind":"conversation","identifier":"zoo","participants":["alice"]}"#
    let message = #"{"kind":"message","identifier":"z1","conversation":"zoo","sender":"alice","position":1}"#
    let file = try directory.write("zoo.jsonl", lines: [Sample.header, line, message])
    #expect(try Tool.run("import", store, file).status == 0)
    session.type("send zo\t")
    try await session.waits { $0.line == "satchel> send zoo" }
  }

  /// Where the store was away when somebody asked, it is looked for again.
  @Test func seesAStoreThatHasComeBack() async throws {
    let session = try await ShellSession.start(store, state: directory("state"))
    try FileManager.default.moveItem(atPath: store, toPath: directory("elsewhere"))
    session.type("send te\t|")
    // What is open may still be readable.
    try await session.waits { $0.line.hasSuffix("|") }
    try FileManager.default.moveItem(atPath: directory("elsewhere"), toPath: store)
    session.type("\u{15}send te\t|")
    try await session.waits { $0.line == "satchel> send tea |" }
  }
}

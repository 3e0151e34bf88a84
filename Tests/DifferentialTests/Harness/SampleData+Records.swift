import TestSupport

extension SampleData {
  /// Record types, and a few records whose answers the rule tables give by hand.
  static let records = #"""
    {"kind":"recordType","name":"list","fields":{"title":"text","rank":"number","parent":"reference to list","chief":"reference to identities"},"onDelete":{"parent":"nullify"}}
    {"kind":"recordType","name":"todo","fields":{"title":"text","order":"integer","estimate":"number","done":"boolean","due":"date","tags":"texts","list":"reference to list","message":"reference to messages","who":"reference to identities","room":"reference to conversations","after":"reference to todo","about":"reference"},"onDelete":{"list":"cascade","about":"nullify"}}
    {"kind":"recordType","name":"note"}
    {"kind":"record","type":"list","identifier":"work","createdAt":"2024-01-01T00:00:00Z","fields":{"title":"Work","rank":1,"chief":{"$reference":["identities","bob"]}}}
    {"kind":"record","type":"list","identifier":"home","createdAt":"2024-01-02T00:00:00Z","owner":"bob","fields":{"title":"Home","rank":2.5,"parent":{"$reference":["list","work"]},"chief":{"$reference":["identities","eve"]}}}
    {"kind":"record","type":"todo","identifier":"t1","createdAt":"2024-02-01T00:00:00Z","updatedAt":"2024-02-02T00:00:00Z","fields":{"title":"Write","order":1,"estimate":2.5,"done":false,"due":{"$date":"2024-03-01T10:00:00Z"},"tags":["urgent","late","urgent"],"list":{"$reference":["list","work"]},"about":{"$reference":["messages","m1"]},"message":{"$reference":["messages","m1"]},"who":{"$reference":["identities","bob"]},"room":{"$reference":["conversations","c1"]},"mixed":"5","theme":{"color":"red","to":{"$reference":["list","home"]}}}}
    {"kind":"record","type":"todo","identifier":"t2","createdAt":"2024-02-01T00:00:00Z","createdBy":"bob","owner":"carol","fields":{"title":"Cafe\u0301","order":2,"estimate":2,"done":true,"tags":["late"],"list":{"$reference":["list","work"]},"about":{"$reference":["conversations","c1"]},"message":{"$reference":["messages","m3"]},"who":{"$reference":["identities","carol"]},"room":{"$reference":["conversations","c3"]},"after":{"$reference":["todo","t1"]},"mixed":5,"and":1}}
    {"kind":"record","type":"todo","identifier":"t3","createdAt":"2024-02-03T00:00:00Z","createdBy":"bob","owner":"bob","updatedBy":"alice","fields":{"title":"Caf\u00e9","order":1,"list":{"$reference":["list","home"]},"about":{"$reference":["list","home"]},"message":{"$reference":["messages","a1"]},"who":{"$reference":["identities","eve"]},"room":{"$reference":["conversations","c4"]},"after":{"$reference":["todo","t2"]},"mixed":{"$reference":["list","work"]},"theme":{"color":"red","to":{"$reference":["list","home"]}},"two words":true}}
    {"kind":"record","type":"todo","identifier":"t4","createdAt":"2024-02-03T00:00:00Z","fields":{"done":false,"tags":[],"list":{"$reference":["list","nowhere"]},"about":{"$reference":["identities","home"]},"message":{"$reference":["messages","m5"]},"room":{"$reference":["conversations","c2"]},"after":{"$reference":["todo","t4"]},"mixed":["5"],"theme":"red"}}
    {"kind":"record","type":"todo","identifier":"5","createdAt":"2024-02-04T00:00:00Z","fields":{"mixed":false}}
    {"kind":"record","type":"note","identifier":"t1","createdAt":"2024-02-05T00:00:00Z","fields":{"list":{"$reference":["note","t1"]},"note":"Write"}}
    {"kind":"record","type":"todo","identifier":"t6","createdAt":"2024-02-05T00:00:00Z","updatedBy":"bob","fields":{"mixed":"gone"}}
    {"kind":"update","record":["todo","t6"],"set":{"updatedAt":"2024-02-06T00:00:00Z","updatedBy":"carol","fields":{"mixed":{"$date":"2024-01-01T00:00:00Z"},"order":-5}}}
    """#
}

extension SampleWriter {
  /// Records of the three types, in whatever order; then some that are changed and deleted, and messages that others refer to; then more.
  mutating func recordLines(_ count: Int) -> [String] {
    var lines = (0..<count).map { record($0) }
    for _ in 0..<count / 8 { lines.append(update(random.pick(recordNames))) }
    for _ in 0..<count / 20 {
      let name = random.pick(recordNames)
      lines.append("{\"kind\":\"delete\",\"record\":\(name.json)}")
    }
    for name in ["work 2", "home 2"] {
      lines.append("{\"kind\":\"delete\",\"record\":[\"list\",\(jsonQuoted(name))]}")
    }
    for _ in 0..<3 {
      lines.append("{\"kind\":\"delete\",\"message\":\(jsonQuoted(random.pick(messageNames)))}")
    }
    for index in count..<count + count / 10 { lines.append(record(index)) }
    for _ in 0..<count / 16 { lines.append(update(random.pick(recordNames))) }
    return lines + relationLines(count / 4) + responseLines(count)
  }

  /// Edges between those users who have most of the sample, some both ways.
  private mutating func relationLines(_ count: Int) -> [String] {
    var lines = [
      #"{"kind":"recordType","name":"_relation","fields":{"from":"reference to identities","inverse":"text","kind":"text","to":"reference to identities"},"onDelete":{"from":"cascade","to":"cascade"}}"#
    ]
    var names: Set<ByteString> = []
    for _ in 0..<count {
      let kind = random.pick(Relations.kinds)
      // Every other one is of the store's user.
      let (one, other) = (random.percent(50) ? "alice" : users[random.below(8)], users[random.below(10)])
      let (from, to) = random.percent(50) ? (one, other) : (other, one)
      let ends = (ByteString(from), ByteString(to))
      let name = Relations.name(kind, ends.0, ends.1)
      guard ends.0 != ends.1, names.insert(name).inserted else { continue }
      let inverse = Relations.name(kind, ends.1, ends.0)
      let fields = """
        {"kind":\(jsonQuoted(kind.string)),"from":{"$reference":["identities",\(jsonQuoted(from))]},\
        "to":{"$reference":["identities",\(jsonQuoted(to))]},"inverse":\(jsonQuoted(inverse.string))}
        """
      lines.append(
        line(
          "record",
          [
            ("type", jsonQuoted("_relation")), ("identifier", jsonQuoted(name.string)),
            ("createdAt", date()), ("fields", fields),
          ]))
    }
    return lines
  }

  private mutating func record(_ index: Int) -> String {
    let type: ByteString = index < 2 ? "list" : random.pick(["todo", "todo", "todo", "list", "note"])
    // The first two lists are those that most tasks are in. No name is that of a task written by hand, "5" is one: these restrict.
    let name =
      index < 2
      ? ["work 2", "home 2"][index]
      : random.pick([
        "\(index + 10)", "r/é\(index)", "r/e\u{301}\(index)", "\(Self.longPrefix)\(index)", "R \(index)",
      ])
    let id = ModelReference(type: type, name: ByteString(name))
    recordNames.append(id)
    let createdAt = date()
    let members: [(String, String?)] = [
      ("type", jsonQuoted(type.string)), ("identifier", jsonQuoted(name)), ("createdAt", createdAt),
      ("createdBy", random.percent(50) ? user() : nil), ("owner", random.percent(60) ? user() : nil),
      ("updatedAt", random.percent(60) ? date() : nil), ("updatedBy", random.percent(40) ? user() : nil),
      ("fields", random.percent(95) ? fields(of: type) : nil),
    ]
    return line("record", members)
  }

  private mutating func update(_ id: ModelReference) -> String {
    let members: [(String, String?)] = [
      ("owner", random.percent(30) ? user() : nil), ("updatedAt", date()),
      ("updatedBy", random.percent(50) ? user() : nil),
      ("fields", random.percent(80) ? fields(of: id.type) : random.percent(30) ? "null" : nil),
    ]
    return "{\"kind\":\"update\",\"record\":\(id.json),\"set\":{\(joined(members))}}"
  }

  private mutating func user() -> String { jsonQuoted(users[random.below(8)]) }

  private mutating func fields(of type: ByteString) -> String {
    var members: [(String, String?)] = []
    switch type {
    case "list":
      members = [
        ("title", random.percent(80) ? text() : nil), ("rank", random.percent(70) ? number() : nil),
        ("parent", random.percent(40) ? reference(to: "list") : nil),
        ("chief", random.percent(60) ? reference(to: "identities") : nil),
      ]
    case "todo":
      let isAboutAny = random.percent(70)
      members = [
        ("title", random.percent(75) ? text() : nil),
        (
          "order",
          random.percent(70) ? random.pick(["0", "1", "2", "3", "4", "5", "-5", "9007199254740993"]) : nil
        ),
        ("estimate", random.percent(50) ? number() : nil),
        ("done", random.percent(70) ? random.pick(["true", "false", "false"]) : nil),
        ("due", random.percent(50) ? "{\"$date\":\(date())}" : nil),
        ("tags", random.percent(50) ? list() : nil),
        ("list", random.percent(75) ? reference(to: "list") : nil),
        ("message", random.percent(30) ? reference(to: "messages") : nil),
        ("who", random.percent(50) ? reference(to: "identities") : nil),
        ("room", random.percent(50) ? reference(to: "conversations") : nil),
        // Nobody may delete these: what restricts stays as it is.
        ("after", random.percent(60) ? restricting() : nil),
        ("about", random.percent(60) ? reference(to: isAboutAny ? nil : "list") : nil),
      ]
    // What other types declare is here of any type.
    default:
      members = ["title", "order", "done", "due", "list"].map {
        ($0, random.percent(40) ? fieldValue() : nil)
      }
    }
    members += [
      ("value", random.percent(60) ? fieldValue() : nil), ("user", random.percent(40) ? owner() : nil),
      ("ref", random.percent(35) ? reference(to: random.percent(60) ? "todo" : nil) : nil),
      ("theme", random.percent(35) ? theme() : nil), ("in", random.percent(10) ? text() : nil),
      ("metadata", random.percent(10) ? "{\"title\":\(text()),\"tags\":\(list())}" : nil),
    ]
    let odd = [
      "two words", "a.b", "2nd", "-x", "AND", "😀", "caf\u{E9}", "cafe\u{301}", "$x", "'\"\\", "reference",
    ]
    if random.percent(30) { members.append((random.pick(odd), fieldValue())) }
    return "{\(joined(members))}"
  }

  /// A dictionary, mostly of a few that are often the same.
  private mutating func theme() -> String {
    switch random.below(5) {
    case 0: fieldValue()
    case 1: "{\"color\":\(text()),\"deep\":{\"er\":\(fieldValue()),\"none\":{}}}"
    case 2: "{\"color\":\"red\",\"to\":\(reference(to: "list"))}"
    default: "{\"color\":\"red\",\"size\":\(random.pick(["5", "5.0", "2.5"]))}"
    }
  }

  /// A reference that restricts what it leads to, to a record that the sample does not delete, or that is not there.
  private mutating func restricting() -> String {
    let name = random.pick(["t1", "t2", "t3", "t4", "5", "t6", "t3", "nowhere"])
    return "{\"$reference\":\(ModelReference(type: "todo", name: ByteString(name)).json)}"
  }

  private mutating func fieldValue() -> String { random.percent(30) ? reference(to: nil) : value() }

  private mutating func number() -> String {
    random.pick(["0", "1", "2", "2.0", "2.5", "-0.5", "5", "1e300"])
  }

  /// A reference to objects of a type, or of any: to one that many refer to, to any other, or to what is not there.
  private mutating func reference(to target: ByteString?) -> String {
    let type =
      target ?? random.pick(["list", "todo", "note", "messages", "conversations", "identities", "other"])
    func reference(_ name: String) -> String {
      "{\"$reference\":\(ModelReference(type: type, name: ByteString(name)).json)}"
    }
    if random.percent(8) { return reference(random.pick(["nowhere", "work", "\(Self.longPrefix)x"])) }
    switch type {
    case "messages": return reference(random.pick(messageNames))
    case "conversations": return reference(random.pick(conversations))
    case "identities": return reference(users[random.below(8)])
    case "list" where random.percent(60): return reference(random.pick(["work", "home", "work 2", "home 2"]))
    default:
      let names = recordNames.filter { $0.type == type }
      return reference(names.isEmpty ? "t1" : random.pick(names).name.string)
    }
  }
}

import Satchel
import TestSupport

extension CommitGenerator {
  /// The type to which tasks refer.
  static let area = RecordType("area") {
    $0.text("title"); $0.reference("parent", to: "area", onDelete: .cascade)
  }

  /// The type of which there are lists; its records come and go also because of areas, messages and conversations.
  static let task = RecordType("task") {
    $0.integer("order"); $0.boolean("done"); $0.date("due")
    $0.reference("area", to: area, onDelete: .cascade)
    $0.reference("about", onDelete: .nullify)
  }

  /// About how many tasks a store has.
  private static let taskCount = 40

  /// Saves, changes or deletes a record. Tasks are in lists; areas are beside them, and have creation sequences as messages have.
  mutating func changeRecords(_ transaction: WriteTransaction) throws {
    try transaction.declare(Self.area, Self.task)
    if random.percent(15) { return try changeAreas(transaction) }
    let id = Record.ID(type: Self.task.name, name: "t\(random.below(60))")
    guard let old = try transaction.record(id) else {
      try transaction.save(
        Record(id: id, owner: random.percent(50) ? Identity.ID(random.user()) : nil, fields()))
      return
    }
    let isFull = try transaction.recordCount(of: Self.task) > Self.taskCount
    switch random.below(10) {
    case 0..<(isFull ? 6 : 2): try transaction.delete(id)
    case 6: try transaction.save(Record(id: id, old.fields))
    case 7: try transaction.save(Record(id: id, fields()))
    default:
      let (key, value) = field()
      let owner = random.percent(20) ? Identity.ID(random.user()) : nil
      let isRemoved = random.percent(20)
      try transaction.update(id) { record in
        record[key] = isRemoved ? nil : value
        if let owner { record.owner = owner }
      }
    }
  }

  private mutating func changeAreas(_ transaction: WriteTransaction) throws {
    let id = Record.ID(type: Self.area.name, name: "a\(random.below(Pools.areas))")
    if random.percent(25), try transaction.record(id) != nil { return try transaction.delete(id) }
    var area = Record(id: id, ["title": .text(random.text())])
    if random.percent(30) { area["parent"] = .reference(random.area()) }
    try transaction.save(area)
  }

  private mutating func fields() -> Metadata {
    var fields = metadata()
    for _ in 0..<random.below(6) {
      let (key, value) = field()
      fields = Metadata(
        fields.entries.filter { $0.key != key }.map { ($0.key, $0.value) } + [(key, value)])
    }
    return fields
  }

  /// A declared field or another one, and a value for it.
  private mutating func field() -> (String, MetadataValue) {
    switch random.below(10) {
    case 0, 1: ("order", .integer(Int64(random.below(8))))
    case 2: ("done", .boolean(random.percent(50)))
    case 3: ("due", .date(Pools.timestamp(random.hour())))
    case 4, 5: ("area", .reference(random.area()))
    case 6, 7: ("about", .reference(target()))
    case 8: (random.pick(["title", "tag"]), .reference(random.area()))
    default: (random.pick(["title", "tag", "a.b", "theme"]), random.metadataValue())
    }
  }

  /// An object that is there, or was.
  private mutating func target() -> Reference {
    switch random.below(4) {
    // By a name that a server gives it, or may give one.
    case 0 where random.percent(30): Reference(Message.ID("srv/\(random.below(40))"))
    case 0: message().map { Reference(Message.ID($0)) } ?? random.area()
    case 1: conversation().map { Reference(Conversation.ID($0)) } ?? random.area()
    case 2: Reference(type: Self.task.name, name: "t\(random.below(60))")
    default: random.area()
    }
  }
}

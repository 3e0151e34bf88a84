import Satchel
import SatchelModel

/// The changes of records, whose names are given once.
extension FeedWriter {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.text("title"); $0.integer("order"); $0.texts("tags"); $0.reference("list", to: list)
  }

  mutating func changeRecords(_ tx: WriteTransaction) throws {
    let names = records.sorted()
    switch random.below(names.count > 2 ? 8 : 1) {
    case 0, 1:
      let id = Record.ID(type: pick(["list", "todo"]), name: "r\(number)/\(random.below(1 << 20))")
      try tx.save(Record(id: id, fields(of: id.type)))
      records.insert(id)
    case 2, 3, 4:
      let changed = pick(names)
      let (others, isWhole) = (fields(of: changed.type), random.percent(30))
      let owner: Identity.ID? = random.percent(30) ? pick(["bob", "carol"]) : nil
      try tx.update(changed) { record in
        if isWhole { record.fields = others }
        record["title"] = others.value(forKey: "title")
        record["list"] = others.value(forKey: "list")
        record.owner = owner ?? record.owner
      }
    case 5: try tx.save(Record(id: pick(names), owner: pick([nil, "dan"])))
    case 6 where random.percent(20):
      // A declaration is a commit that lists nothing.
      let field = "f\(number)"
      try tx.declare(RecordType("todo") { $0.date(field) })
    default:
      let gone = pick(names)
      try tx.delete(gone)
      records.remove(gone)
    }
  }

  private mutating func fields(of type: String) -> Metadata {
    var record = Record(id: Record.ID(type: type, name: "x"))
    if random.percent(60) { record["title"] = .text(text()) }
    let name = "r\(random.below(9))"
    if type == "todo" {
      if random.percent(40) { record["order"] = .integer(Int64(random.below(3))) }
      if random.percent(40) { record["tags"] = .list([text(), text()]) }
      if random.percent(40) { record["list"] = .reference(Record.ID(type: "list", name: name)) }
    }
    if random.percent(40) {
      record["free"] = random.percent(50) ? value() : ["b": value(), "b.c": .reference(Message.ID(name))]
    }
    if random.percent(20) { record["it's"] = .reference(Message.ID(name)) }
    return record.fields
  }
}

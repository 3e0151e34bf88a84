import SatchelModel
import SatchelRecords
import SatchelWriting
import TestSupport

extension ChangeExporterTests {
  /// One random change of record types or records. Some make no sense, and are refused.
  static func changeRecords(_ writer: Writer, _ number: Int, _ random: inout SeededGenerator) throws {
    let type = random.pick(["list", "todo", "note"])
    try writer.declare([RecordType(type)])
    let id = Record.ID(type: type, name: "t\(random.below(6))")
    switch random.below(10) {
    case 0:
      let types: [FieldType] = [.text, .integer, .reference(to: random.pick(["list", "note", "todo"]))]
      try writer.declare([
        RecordType(
          type, fields: [RecordType.Field(name: random.pick(["x", "y", "z"]), type: random.pick(types))])
      ])
    case 1...4:
      try writer.save(Record(id: id, owner: random.pick([nil, "bob"]), fields(number, &random)))
    case 5...7:
      let other = fields(number, &random)
      let date = random.pick([nil, Timestamp(microseconds: Int64(number))])
      try writer.update(record: id, as: random.pick([nil, "carol"]), at: date) {
        $0["x"] = other.value(forKey: "x")
      }
    default: try writer.delete(record: id)
    }
  }

  private static func fields(_ number: Int, _ random: inout SeededGenerator) -> Metadata {
    let values: [MetadataValue] = [
      "text", .integer(Int64(number)), .number(2),
      .reference(Record.ID(type: "note", name: "t\(random.below(6))")),
      ["k": .reference(Message.ID("m1")), "a.b": ["$reference": "text"]], ["list", "of", "texts"],
    ]
    var fields = Metadata()
    for name in ["x", "y", "z", "two words"] where random.percent(40) {
      fields.set(random.pick(values), forKey: name)
    }
    return fields
  }
}

import SatchelCoding
import SatchelModel
import SatchelRecords
import TestSupport

extension SeededGenerator {
  mutating func reference() -> Reference {
    let type = ["list", "todo", "messages", "Z-9_", String(repeating: "t", count: 64)].randomElement(
      using: &self)!
    return Reference(type: type, name: text(1...20))
  }

  mutating func recordType() -> RecordType {
    let names = ["title", "order", "due", "done", "tags", "list", String(repeating: "f", count: 256)]
    let types: [FieldType] = [
      .text, .integer, .number, .boolean, .date, .texts, .reference(to: nil), .reference(to: "list"),
    ]
    var fields: [RecordType.Field] = []
    for name in names where oneIn(2) {
      let action = oneIn(2) ? ReferenceAction.allCases.randomElement(using: &self) : nil
      fields.append(
        RecordType.Field(name: name, type: types.randomElement(using: &self)!, onDelete: action))
    }
    return RecordType(["todo", "list", "a", "-"].randomElement(using: &self)!, fields: fields)
  }

  /// Fields of every type, references at any depth among them.
  mutating func storedRecord() -> StoredRecord {
    var fields = metadata()
    for name in ["list", "about", "Z"] where oneIn(2) { fields.set(.reference(reference()), forKey: name) }
    if oneIn(3) {
      var inner = Metadata()
      inner.set(.reference(reference()), forKey: "inner")
      fields.set(.dictionary(inner), forKey: "nested")
    }
    return StoredRecord(
      identifier: Array(text(1...30).utf8), owner: number(), createdBy: number(), updatedBy: number(),
      createdAt: signed(), updatedAt: signed(), fields: fields)
  }
}

import Satchel

/// The record types, stage by stage: types come, and they get fields.
enum RecordTypes {
  static let stages = 4
  /// The fields that are declared in the end, and one that never is.
  static let declarable = ["title", "order", "share", "done", "due", "tags", "list", "about"]
  static let fields = declarable + ["free"]

  private static let names = ["list", "todo", "note"]

  static func name(_ type: Int) -> String { names[type] }

  /// How many types there are at a stage.
  static func count(at stage: Int) -> Int { stage < 3 ? 2 : 3 }

  /// All types of a stage, in the order of their declarations.
  static func at(_ stage: Int) -> [RecordType] {
    let list = RecordType("list") { fields in
      fields.text("title")
      if stage >= 3 { fields.boolean("done") }
    }
    let todo = RecordType("todo") { fields in
      fields.text("title")
      if stage >= 2 {
        fields.integer("order")
        fields.reference("list", to: list, onDelete: .cascade)
      }
      if stage >= 3 {
        fields.number("share")
        fields.texts("tags")
      }
      if stage >= 4 {
        fields.boolean("done")
        fields.date("due")
        fields.reference("about", onDelete: .nullify)
      }
    }
    // It refers to records of its own type, or whatever else.
    let note = RecordType("note") { if stage >= 4 { $0.reference("about", onDelete: .nullify) } }
    return Array([list, todo, note].prefix(count(at: stage)))
  }

  /// Whether a record goes with what a field of it refers to.
  static func cascades(_ field: String, of type: Int, at stage: Int) -> Bool {
    type == 1 && field == "list" && stage >= 2
  }

  /// Whether a record loses a field with what the field refers to.
  static func isNullified(_ field: String, of type: Int, at stage: Int) -> Bool {
    type > 0 && field == "about" && stage >= 4
  }
}

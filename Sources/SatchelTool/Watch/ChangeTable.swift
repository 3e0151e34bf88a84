import Satchel
import SatchelModel
import SatchelText
import TerminalInterface

/// A list in columns, then a row for each of its changes with the time and what happened: `+ 3` inserted at index 3,
/// `- 3` deleted from index 3, `3 > 0` moved, `* 3` changed at index 3.
struct ChangeTable: ~Copyable {
  private let store: MessageStore
  private let columns: Int
  private var table: Table

  init<Object: ListedObject>(
    _ list: ListSnapshot<Object>, _ store: MessageStore, to output: inout Output
  ) throws {
    self.store = store
    let columns = ObjectTable.columns(of: Object.kind)
    self.columns = columns.count
    table = Table(
      [.init("time", limit: 12, least: 12), .init("change", limit: 11, least: 7)] + columns, isLive: true)
    for (index, object) in list.enumerated() { try add("", String(index), object, to: &output) }
    try table.end(&output)
    try addTotal("", list, to: &output)
  }

  mutating func add<Object: ListedObject>(_ set: ChangeSet<Object>, to output: inout Output) throws {
    let time = TimeOfDay.now
    for index in set.difference.deletes { try add(time, "- \(index)", set.before[index], .red, to: &output) }
    for index in set.difference.inserts { try add(time, "+ \(index)", set.after[index], .green, to: &output) }
    for move in set.difference.moves {
      try add(time, "\(move.before) > \(move.after)", set.after[move.after], .yellow, to: &output)
    }
    for update in set.difference.updates {
      // Of an object that stays where it is, only what has changed is coloured.
      let (before, after) = (try cells(set.before[update.before]), try cells(set.after[update.after]))
      let colours = zip(before, after).map { old, new in
        UTF8Order.areEqual(old, new) ? nil : Self.colourOfUpdates
      }
      try table.add(
        [time, "* \(update.after)"] + after, [nil, Self.colourOfUpdates] + colours, to: &output)
    }
    if set.before.totalNumberOfObjects != set.after.totalNumberOfObjects {
      try addTotal(time, set.after, to: &output)
    }
  }

  private static var colourOfUpdates: Colour? { .cyan }

  private mutating func add<Object: ListedObject>(
    _ time: String, _ change: String, _ object: Object, _ colour: Colour? = nil, to output: inout Output
  ) throws {
    let cells = try cells(object)
    try table.add(
      [time, change] + cells, [nil] + Array(repeating: colour, count: cells.count + 1), to: &output)
  }

  private func cells<Object: ListedObject>(_ object: Object) throws -> [String] {
    // The list may be newer or older than the store is now, so a text may no longer exist.
    try ObjectTable.cells(object.result) { part in
      (try? store.content(of: part, in: ObjectTable.excerpt)) ?? Array("…".utf8)
    }
  }

  /// Adds the number of results, if the window does not show them all.
  private mutating func addTotal<Object: ListedObject>(
    _ time: String, _ list: ListSnapshot<Object>, to output: inout Output
  ) throws {
    guard list.count != list.totalNumberOfObjects else { return }
    let cells = ["\(list.totalNumberOfObjects) in all"] + Array(repeating: "", count: columns - 1)
    try table.add([time, ""] + cells, to: &output)
  }
}

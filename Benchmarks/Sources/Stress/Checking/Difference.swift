/// The store and the model differ.
struct Difference: Error, CustomStringConvertible {
  /// What was asked.
  let question: String
  /// What the store says.
  let store: String
  /// What the model says.
  let model: String

  var description: String {
    "\(question):\n  store: \(store)\n  model: \(model)"
  }

  /// Throws unless both say the same.
  static func check(_ question: @autoclosure () -> String, _ store: String, _ model: String) throws {
    guard store != model else { return }
    throw Difference(question: question(), store: shortened(store), model: shortened(model))
  }

  /// Throws unless both list the same, and names the first place where they do not.
  static func check(_ question: @autoclosure () -> String, _ store: [String], _ model: [String]) throws {
    guard store != model else { return }
    let place = zip(store, model).prefix { $0 == $1 }.count
    func at(_ list: [String]) -> String {
      "\(list.count) rows, row \(place): \(place < list.count ? shortened(list[place]) : "none")"
    }
    throw Difference(question: question(), store: at(store), model: at(model))
  }

  private static func shortened(_ text: String) -> String {
    text.count > 600 ? text.prefix(600) + "…" : text
  }
}

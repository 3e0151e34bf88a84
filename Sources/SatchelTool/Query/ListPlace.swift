import Satchel
import SatchelExecution
import SatchelModel
import SatchelQuery
import TerminalInterface

extension QueryDescription {
  /// The same query for all of its list: without limit, offset and anchor.
  var whole: QueryDescription {
    var list = self
    (list.limit, list.offset, list.anchor) = (nil, 0, nil)
    return list
  }
}

extension StoreSnapshot {
  /// Returns how many objects are before the one of an identifier in the whole list of a query.
  /// - Throws: `ToolError` if the object is not in the list.
  func rank(of identifier: String, in description: QueryDescription) throws -> Int {
    let rank = try perform {
      try executor.rank(ofObject: identifier, executor.question(description.whole))
    }
    guard let rank else {
      throw ToolError(
        "there is no \"\(identifier)\" in the list: --rank takes the identifier of one of its objects")
    }
    return rank
  }
}

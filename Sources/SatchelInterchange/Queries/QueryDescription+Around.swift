package import SatchelModel
package import SatchelQuery

extension QueryDescription {
  /// Turns the limit into a window around an object: the object itself, half of the others before it, the rest after
  /// it. Without a limit the window has 21 objects.
  package mutating func surround(_ identifier: String) {
    let wanted = limit ?? Self.usualWindow
    // A limit of 0 or less is kept, for the library to answer.
    guard wanted > 0 else { return anchor = .around(identifier, before: 0, after: 0) }
    let others = wanted - 1
    anchor = .around(identifier, before: others / 2, after: others - others / 2)
    limit = nil
  }

  /// Turns the limit into a window around a date: half of the objects before it, the rest from that date on. Without a limit
  /// the window has 21 objects.
  package mutating func surround(_ date: Timestamp) {
    let wanted = limit ?? Self.usualWindow
    // As above.
    guard wanted > 0 else { return anchor = .aroundDate(date, before: 0, after: 0) }
    anchor = .aroundDate(date, before: wanted / 2, after: wanted - wanted / 2)
    limit = nil
  }

  private static var usualWindow: Int { 21 }
}

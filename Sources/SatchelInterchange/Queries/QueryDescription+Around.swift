package import SatchelQuery

extension QueryDescription {
  /// Turns the limit into a window around an object: the object itself, half of the others before it, the rest after
  /// it. Without a limit the window has 21 objects.
  package mutating func surround(_ identifier: String) {
    let wanted = limit ?? 21
    // A limit of 0 or less is kept, for the library to answer.
    guard wanted > 0 else { return anchor = .around(identifier, before: 0, after: 0) }
    let others = wanted - 1
    anchor = .around(identifier, before: others / 2, after: others - others / 2)
    limit = nil
  }
}

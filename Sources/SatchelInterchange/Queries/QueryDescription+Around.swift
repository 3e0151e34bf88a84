package import SatchelQuery

extension QueryDescription {
  /// Turns the limit into a stretch around an object: itself, half of the others before it, the rest after it.
  package mutating func surround(_ identifier: String) {
    let wanted = limit ?? 21
    // A limit of 0 or less stays one, for the library to answer.
    guard wanted > 0 else { return anchor = .around(identifier, before: 0, after: 0) }
    let others = wanted - 1
    anchor = .around(identifier, before: others / 2, after: others - others / 2)
    limit = nil
  }
}

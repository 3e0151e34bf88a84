import SatchelModel

extension Metadata {
  /// The same, made of values as a program makes it: not of the bytes of a record, which would be written again as they are.
  var remade: Metadata {
    Metadata(
      entries.map { entry in
        guard case .dictionary(let inner) = entry.value else { return (entry.key, entry.value) }
        return (entry.key, .dictionary(inner.remade))
      })
  }
}

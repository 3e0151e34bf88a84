package import SatchelModel

extension RecordType.Field {
  /// Returns the error of a path that leads on below the field, which is no dictionary and refers to nothing.
  package func error(leadingBelow path: [String]) -> SatchelError {
    let name = [name].spelledPath
    let elements = type == .texts ? ", or in an index each \(name), which is .list in Swift" : ""
    return SatchelError(
      .unqueryableProperty, "No name leads below a declared field of this type: it is no dictionary",
      [
        "property": path.spelledPath, "field": name, "declared": type.description,
        "expected": name + elements,
      ])
  }
}

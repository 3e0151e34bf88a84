extension SatchelError {
  /// The error of a path as that of the whole path of which it is the end.
  package func ofPath(_ whole: [String], endingWith path: [String]) -> SatchelError {
    let prefix = whole.dropLast(path.count).map { $0 + "." }.joined()
    var details = ["property": whole.spelledPath]
    if let names = context["available"] {
      details["available"] = names.split(separator: " ").map { prefix + $0 }.joined(separator: " ")
    }
    return replacing(details)
  }
}

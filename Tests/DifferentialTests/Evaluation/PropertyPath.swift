/// The names of a key path.
struct PropertyPath: Hashable, Sendable {
  var components: [ByteString]

  init(_ components: [ByteString]) {
    let end = components.firstIndex(of: "metadata") ?? components.count
    self.components = components[..<end].map { $0 == "MIMEType" ? "mimeType" : $0 } + components[end...]
  }

  /// A path of plain names, split at its dots.
  init(_ dotted: String) {
    self.init(dotted.split(separator: ".").map { ByteString(String($0)) })
  }

  static func + (left: PropertyPath, right: [ByteString]) -> PropertyPath {
    PropertyPath(left.components + right)
  }
}

import SatchelInterchange

/// Standard error: text for people, apart from what programs read.
enum StandardError {
  /// Writes a text. A failure is ignored, since nobody is left to be told.
  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { try? FileDescriptor.write(2, $0) }
  }
}

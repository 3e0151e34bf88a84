import SatchelInterchange

/// Text for people, beside what a program reads.
enum StandardError {
  /// Writes a text; nobody is left to tell when that fails.
  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { try? FileDescriptor.write(2, $0) }
  }
}

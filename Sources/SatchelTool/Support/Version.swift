import SatchelStorage

/// Which program this is.
enum Version {
  /// The release, as CHANGELOG.md names it.
  static let number = "0.1.0"

  /// The release, and the format of the stores that it writes.
  static var text: String { "satchel \(number), file format \(Store.format)" }
}

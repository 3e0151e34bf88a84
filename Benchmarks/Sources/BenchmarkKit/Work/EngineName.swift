/// The stores that are compared, and the disk that they are on.
public enum EngineName: String, Codable, Sendable, CaseIterable {
  case satchel, grdb, sqlite, lmdb
  /// No store: what a file without any costs.
  case disk

  /// The name as people write it.
  public var title: String {
    switch self {
    case .satchel: "Satchel"
    case .grdb: "GRDB"
    case .sqlite: "SQLite"
    case .lmdb: "LMDB"
    case .disk: "Disk"
    }
  }
}

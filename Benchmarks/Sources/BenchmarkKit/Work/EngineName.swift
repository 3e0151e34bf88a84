/// The stores that are compared.
public enum EngineName: String, Codable, Sendable, CaseIterable {
  case satchel, grdb, sqlite, lmdb

  /// The name as people write it.
  public var title: String {
    switch self {
    case .satchel: "Satchel"
    case .grdb: "GRDB"
    case .sqlite: "SQLite"
    case .lmdb: "LMDB"
    }
  }
}

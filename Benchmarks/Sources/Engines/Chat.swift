/// Where the files of a data set and the stores made of it are.
public struct Chat: Sendable {
  /// How many messages were generated; nil for a corpus.
  public let n: Int?
  /// The user whose messages they are.
  public let user: String
  /// The lines that every engine is loaded from.
  public let lines: LineFile
  /// The directory of the stores.
  public let directory: String

  public init(n: Int?, user: String, lines: LineFile, directory: String) {
    self.n = n
    self.user = user
    self.lines = lines
    self.directory = directory
  }

  public var satchelPath: String { directory + "/chat.satchel" }
  public var sqlitePath: String { directory + "/chat.sqlite" }
  public var grdbPath: String { directory + "/chat-grdb.sqlite" }
  public var lmdbPath: String { directory + "/chat.lmdb" }
}

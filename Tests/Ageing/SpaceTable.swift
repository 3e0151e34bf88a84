package import SatchelCare

/// Where the bytes of several files go, side by side, as Markdown.
package struct SpaceTable {
  private var columns: [(name: String, space: StoreSpace)] = []

  package init(_ columns: [(name: String, space: StoreSpace)] = []) { self.columns = columns }

  package mutating func add(_ name: String, _ space: StoreSpace) { columns.append((name, space)) }

  /// The table: in each column the bytes of a part and, where some are room inside its pages, those.
  package var text: String {
    var lines = [
      "| KiB | " + columns.map(\.name).joined(separator: " | ") + " |",
      "| --- |" + columns.map { _ in " ---: |" }.joined(),
    ]
    func add(_ name: String, _ cell: (StoreSpace) -> String) {
      lines.append("| \(name) | " + columns.map { cell($0.space) }.joined(separator: " | ") + " |")
    }
    var names: [String] = []
    for column in columns {
      for part in column.space.parts where part.bytes > 0 && !names.contains(part.name) {
        names.append(part.name)
      }
    }
    for name in names {
      add(name) { space in
        guard let part = space.parts.first(where: { $0.name == name }) else { return "" }
        let room = part.bytes - part.used
        return Self.kibibytes(part.bytes)
          + (room > 0 && !part.isFree ? " (\(Self.kibibytes(room)) room)" : "")
      }
    }
    add("**room inside pages**") { Self.kibibytes($0.slack) }
    add("**free pages**") { Self.kibibytes($0.free) }
    add("**file**") { Self.kibibytes($0.fileBytes) }
    add("**given back of that**") { Self.kibibytes($0.givenBackBytes) }
    add("free pages at its end") { Self.kibibytes($0.freeAtEnd) }
    return lines.joined(separator: "\n")
  }

  private static func kibibytes(_ bytes: Int) -> String { String((bytes + 512) >> 10) }
}

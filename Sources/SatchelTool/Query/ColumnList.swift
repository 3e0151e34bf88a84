import Satchel
import SatchelInterchange
import SatchelModel
import SatchelQuery
import TerminalInterface

/// The columns of a query's results: properties of their kind, by their key paths.
struct ColumnList {
  private let names: [String]
  private let properties: [ObjectProperty]
  /// Whether a column has nothing but numbers.
  private let isNumber: [Bool]

  /// Finds the columns that `--columns` names. Without a text, the columns are those that CSV has for the kind; of records, what every record
  /// has and the fields that are declared.
  /// - Throws: ``SatchelError`` `unqueryableProperty` for a key path that no property has, with those that there are; `unknownRecordType`.
  init(_ text: String?, of description: QueryDescription, _ snapshot: StoreSnapshot) throws {
    let (kind, type) = (
      description.kind, try description.recordType.map { try snapshot.declaredType(named: $0) }
    )
    var standard = Self.standard(kind)
    for field in type?.fields ?? [] { standard += "," + SortKey([field.name]).description }
    let text = text ?? standard
    guard let keys = try? SortKey.keys(text), !keys.contains(where: \.descending) else {
      throw ToolError(
        "--columns takes key paths joined by commas, such as \(kind == .records ? "identifier,owner" : "identifier,metadata.title"), not \"\(text)\""
      )
    }
    names = keys.map(\.description)
    let queried = try snapshot.executor.queriedType(of: description)
    properties = try keys.map { try queried.property($0.path) }
    isNumber = properties.map { property in
      if property.type == .number { return !property.isToMany }
      guard case .recordValue(let path) = property.field, path.keys.count == 1 else { return false }
      return [.integer, .number].contains(type?.field(named: path.keys[0])?.type)
    }
    for (index, property) in properties.enumerated() where properties[..<index].contains(property) {
      throw ToolError("--columns names \(names[index]) twice")
    }
  }

  /// Writes the results of a query, a row an object.
  func write(
    _ description: QueryDescription, _ snapshot: StoreSnapshot, _ format: QueryFormat,
    _ note: (ResultObject) -> Void, to output: inout Output
  ) throws {
    let reader = ColumnReader(snapshot: snapshot)
    func values(_ object: ResultObject) throws -> [ColumnValue] {
      note(object)
      return try properties.map { try reader.value(of: $0, in: object) }
    }
    switch format {
    case .table:
      var table = Table(
        zip(names, isNumber).map { .init($0, isNumber: $1) })
      try snapshot.forEachObject(description) { object in
        try table.add(values(object).map { String($0.text.unicodeScalars.prefix(Self.excerpt)) }, to: &output)
      }
      try table.end(&output)
    case .csv:
      try output.write(csv: names)
      try snapshot.forEachObject(description) { try output.write(csv: values($0).map(\.cell)) }
    case .json:
      try snapshot.forEachObject(description) { try output.write(Array(zip(names, values($0)))) }
    }
  }

  /// How many characters of a value a table shows at most: no terminal is wider.
  private static let excerpt = 1000

  /// Returns the columns that CSV has if nobody chooses others.
  private static func standard(_ kind: ObjectKind) -> String {
    switch kind {
    case .conversations:
      "identifier,participants,createdAt,isDistinct,messageCount,unreadCount,lastMessage,metadata"
    case .messages:
      "identifier,conversation,sender.userID,position,sentAt,receivedAt,isSent,isUnread,parts.mimeType,parts.text,metadata"
    case .announcements:
      "identifier,sender.userID,position,sentAt,receivedAt,isUnread,parts.mimeType,parts.text,metadata"
    case .parts: "identifier,message,index,mimeType,size,transferStatus,text"
    case .identities:
      (["userID"] + ObjectField.ofIdentities.map(\.description.name) + ["metadata"]).joined(separator: ",")
    case .records: "identifier,owner,createdAt,createdBy,updatedAt,updatedBy"
    }
  }
}

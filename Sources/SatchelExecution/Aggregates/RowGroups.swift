import SatchelModel
import SatchelPlanning

/// The groups that rows of one snapshot are in, remembered for each conversation if they depend on the conversation alone.
struct RowGroups<Group> {
  private let read: (inout RowContext) throws -> Group
  private var known: [UInt32: Group] = [:]
  private let dependOnConversation: Bool

  /// - Parameters:
  ///   - property: What rows of a kind are grouped by.
  ///   - read: Reads a row's group.
  init(
    by property: ObjectProperty, of kind: ObjectKind, _ read: @escaping (inout RowContext) throws -> Group
  ) {
    self.read = read
    let ofMessage = property.stripping(.message) ?? property
    dependOnConversation =
      (kind == .messages || kind == .parts) && ofMessage.stripping(.conversation) != nil
  }

  mutating func group(of row: inout RowContext) throws -> Group {
    guard dependOnConversation else { return try read(&row) }
    if let group = known[row.reference.conversation] { return group }
    let group = try read(&row)
    known[row.reference.conversation] = group
    return group
  }
}

extension ObjectProperty {
  /// Whether its values are those who sent messages.
  package var isSender: Bool {
    if case .referenced(_, let property) = field { property.isSender } else { field == .senderUserID }
  }

  /// Whether its values are users: user ids, or a field of a record, which may refer to one.
  package var namesUsers: Bool {
    switch field {
    case .senderUserID, .userID, .owner, .createdBy, .updatedBy, .participants, .recordValue: true
    case .referenced(_, let property): property.namesUsers
    default: false
    }
  }
}

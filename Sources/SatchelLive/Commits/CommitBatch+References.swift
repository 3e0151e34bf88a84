import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading

// The records that a batch may concern because of what they refer to.
extension CommitBatch {
  /// More records than these are not looked up one by one.
  private static let mostDependents = 10_000

  /// Returns the records of a type that refer, by the steps of some properties, to objects that the batch has changed; nil if they cannot
  /// be told one by one. For properties of what conversations are to the store's user, returns the conversations.
  /// - Parameter properties: Properties of referenced objects, as seen from a record of the type.
  func dependents(on properties: [ObjectProperty], ofType type: UInt32) -> [RowReference]? {
    guard !properties.isEmpty else { return [] }
    let dependence = Dependence(properties: properties, type: type)
    if let known = knownDependents[dependence] { return known }
    // What cannot be read here is read again, and its error thrown, by the selection that follows.
    let found = (try? find(properties, ofType: type)).flatMap(\.self)
    knownDependents[dependence] = .some(found)
    return found
  }

  /// That records of a type depend on properties of what they refer to.
  struct Dependence: Hashable {
    let properties: [ObjectProperty]
    let type: UInt32
  }

  /// Returns whether some of the objects that records refer to may have changed.
  func concerns(objects: Set<Reference>) throws -> Bool {
    guard listsAll else { return true }
    for reference in objects
    where reference.type == Reference.messages || reference.type == Reference.conversations {
      // A message is shown with its conversation, and a conversation with its last message and that one's sender.
      if !messages.isEmpty || !conversations.isEmpty || !ranges.isEmpty || !identities.isEmpty { return true }
      break
    }
    for (key, change) in records {
      guard change.action != .deleted else { return true }
      let type = try snapshot.recordType(key.type).type.name
      let name = try executor.identifier(of: RowReference(key), .records)
      if objects.contains(Reference(type: type, name: name)) { return true }
    }
    for row in identities.keys {
      guard try snapshot.findIdentity(row) != nil else { return true }
      let name = try executor.identifier(of: RowReference(sequence: UInt64(row)), .identities)
      if objects.contains(Reference(type: Reference.identities, name: name)) { return true }
    }
    return false
  }

  /// Of more changed reactions and replies than these, it costs less to read a window again than to look for whom they are about.
  private static let mostResponses = 64

  /// Returns whether what others say to some messages may have changed.
  func concerns(_ responded: RespondedMessages) throws -> Bool {
    guard listsAll else { return true }
    var count = 0
    for (key, change) in records where responded.isOfResponses(key) {
      count += 1
      if try count > Self.mostResponses || responded.areConcerned(by: change.action, of: key, in: snapshot) {
        return true
      }
    }
    return false
  }

  /// Returns the names of the messages to which something more is said; nil if something else may have changed of what is said, and it is
  /// not known of which message.
  /// - Parameter kinds: Which responses are looked at.
  func namesOfResponded(_ kinds: ResponseKinds) throws -> [String]? {
    guard !records.isEmpty, !kinds.isDisjoint(with: [.reactions, .replies]) else { return [] }
    let responded = try RespondedMessages(kinds, in: snapshot)
    var names: [String] = []
    for (key, change) in records where responded.isOfResponses(key) {
      switch try responded.concern(of: change.action, of: key, in: snapshot) {
      case .nobody: break
      case .message(let name): names.append(String(decoding: name, as: UTF8.self))
      case .anybody: return nil
      }
    }
    return names
  }

  private func find(_ properties: [ObjectProperty], ofType type: UInt32) throws -> [RowReference]? {
    guard listsAll else { return nil }
    var rows: Set<RowReference> = []
    for property in properties {
      if property.isOwnState {
        // Of the messages of a conversation there may be very many.
        guard let own = try ownStates.get(), own.isEmpty || property.relations.isEmpty else { return nil }
        rows.formUnion(own)
        continue
      }
      let (steps, leaf) = property.referenced
      // The types of the records along the way, that of the question first.
      var types = [type]
      for step in steps where step.kind == .records {
        guard let next = try snapshot.recordType(named: step.target) else { break }
        types.append(next.id)
      }
      var changed: Set<Reference> = []
      for (place, step) in steps.enumerated().reversed() {
        // What refers to the objects of the step behind is, of this one, what is referred to.
        let isLast = place == steps.count - 1
        guard let own = try self.changed(step, isLast ? leaf : nil, types, place) else { return nil }
        changed.formUnion(own)
        // No index has whose records are a user's.
        if step.isUser {
          if !changed.isEmpty { return nil }
          continue
        }
        var referring: Set<RowReference> = []
        for target in changed {
          for record in try snapshot.records(ofType: types[place], referringTo: target, by: step.field) {
            referring.insert(RowReference(record))
          }
          guard referring.count <= Self.mostDependents else { return nil }
        }
        if place == 0 {
          rows.formUnion(referring)
        } else {
          changed = []
          for row in referring {
            let name = try executor.identifier(of: row, .records)
            changed.insert(Reference(type: steps[place - 1].target, name: name))
          }
        }
      }
    }
    return rows.sorted()
  }

  /// Returns the conversations of which it has changed what they are to the store's user; nil if they cannot be told one by one.
  func findOwnStates() throws -> Set<RowReference>? {
    guard listsAll else { return nil }
    guard !records.isEmpty, let type = try snapshot.recordType(named: OwnState.recordType)?.id else {
      return []
    }
    var rows: Set<RowReference> = []
    for (key, change) in records where key.type == type {
      // The log does not say which one is gone.
      guard change.action != .deleted, rows.count < Self.mostDependents else { return nil }
      if let identifier = try snapshot.conversationOfOwnParticipation(key),
        let row = try snapshot.conversation(of: identifier)?.row
      {
        rows.insert(RowReference(sequence: UInt64(row)))
      }
    }
    return rows
  }

  /// Returns the objects that a step leads to and that the batch has changed; nil if they cannot be told.
  private func changed(
    _ step: ReferenceStep, _ leaf: ObjectProperty?, _ types: [UInt32], _ place: Int
  ) throws -> Set<Reference>? {
    switch step.kind {
    case .records:
      guard types.count > place + 1 else { return [] }
      var found: Set<Reference> = []
      for (key, change) in records where key.type == types[place + 1] {
        // The log does not say what one that is gone was called.
        guard change.action != .deleted else { return nil }
        let name = try executor.identifier(of: RowReference(key), .records)
        found.insert(Reference(type: step.target, name: name))
      }
      return found
    case .identities:
      var found: Set<Reference> = []
      for row in identities.keys {
        guard try snapshot.findIdentity(row) != nil else { return nil }
        let name = try executor.identifier(of: RowReference(sequence: UInt64(row)), .identities)
        found.insert(Reference(type: step.target, name: name))
      }
      return found
    // A message is shown with its conversation, and what it shows may be of others.
    case .messages, .conversations, .announcements, .parts:
      return messages.isEmpty && conversations.isEmpty && ranges.isEmpty && identities.isEmpty ? [] : nil
    }
  }
}

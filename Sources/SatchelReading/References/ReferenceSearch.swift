internal import RankedIndex
internal import RankedKeys
internal import SatchelBytes
package import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelRecords
internal import SatchelText

/// What becomes of records because what they refer to is gone.
package struct ReferenceConsequences: Sendable {
  /// The records that go as well, by ascending keys.
  package fileprivate(set) var deleted: [TypedRecordKey] = []
  /// The records that lose fields, by ascending keys, with the names of these.
  package fileprivate(set) var nullified: [(record: TypedRecordKey, fields: [String])] = []
}

extension Snapshot {
  /// Returns what becomes of records because of what a write has removed. Changes nothing.
  /// - Throws: ``SatchelError`` `referenced` if a record that stays restricts the removal of something.
  /// - Complexity: O(log n) for each removed object and field that may refer to it, or, if there are less references to objects of its
  ///   type than removed ones, O(these references); and O(log n) for each record that refers to one.
  package func consequences(of removed: RemovedObjects) throws -> ReferenceConsequences {
    let fields = try referenceFields()
    guard !fields.isEmpty else { return ReferenceConsequences() }
    var search = ReferenceSearch(self, fields, removed)
    return try search.run()
  }
}

/// Follows references backwards from what is gone: level by level, so that a chain of any length needs no more than its records.
private struct ReferenceSearch {
  private let snapshot: Snapshot
  private let fields: [ReferringField]
  private let removed: RemovedObjects
  private var deleted: Set<TypedRecordKey> = []
  /// The places of the fields that records lose.
  private var nullified: [TypedRecordKey: [Int]] = [:]
  /// The references that restrict a removal, unless their records go as well: in the order in which they were found.
  private var restricting: [Restriction] = []
  /// Records that go as well, and to which others may refer: the texts of references to them, as the index has these.
  private var next: [[UInt8]] = []
  /// In an import, what each of these has referred to, from which its own removal follows.
  private var causes: [[UInt8]: [UInt8]] = [:]

  private struct Restriction {
    let target: [UInt8]
    let field: Int
    let record: TypedRecordKey
  }

  /// With so few targets, each is looked up before anything is counted.
  private static let fewTargets = 16
  private static let rowsAtOnce = 4096

  init(_ snapshot: Snapshot, _ fields: [ReferringField], _ removed: RemovedObjects) {
    self.snapshot = snapshot
    self.fields = fields
    self.removed = removed
  }

  mutating func run() throws -> ReferenceConsequences {
    let messages = try messages(of: removed.conversations)
    try follow(Array(Set(removed.names.map { Self.text(of: $0.reference) } + messages)), mayBeThere: true)
    while !next.isEmpty {
      let targets = next
      next = []
      try follow(targets, mayBeThere: false)
    }
    try checkRestrictions()
    var consequences = ReferenceConsequences()
    consequences.deleted = deleted.sorted(by: Self.areAscending)
    consequences.nullified = nullified.filter { !deleted.contains($0.key) }
      .sorted { Self.areAscending($0.key, $1.key) }
      .map { ($0.key, $0.value.map { fields[$0].field.name }) }
    return consequences
  }

  private static func areAscending(_ left: TypedRecordKey, _ right: TypedRecordKey) -> Bool {
    (left.type, left.sequence) < (right.type, right.sequence)
  }

  private static func areAscending(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.span.bytes.compare(right.span.bytes) < 0
  }

  /// The text that the index has of a reference.
  private static func text(of reference: Reference) -> [UInt8] {
    [ValueKey.Tag.reference] + reference.keyBytes
  }

  /// What the texts of all references to objects of a type begin with.
  private static func prefix(ofType type: String) -> [UInt8] {
    [ValueKey.Tag.reference] + Array(type.utf8) + [0]
  }

  /// Returns the type and the identifier of the object of a text.
  private static func reference(of text: [UInt8]) -> Reference {
    let end = text.firstIndex(of: 0) ?? text.endIndex
    return Reference(
      type: String(decoding: text[..<end].dropFirst(), as: UTF8.self),
      name: String(decoding: text[end...].dropFirst(), as: UTF8.self))
  }

  /// Finds the records that refer to some objects, and does to each what its field's action is.
  /// - Parameter mayBeThere: Whether an object may be in the store all the same.
  private mutating func follow(_ unordered: [[UInt8]], mayBeThere: Bool) throws {
    let targets = unordered.sorted(by: Self.areAscending)
    var start = 0
    while start < targets.count {
      let type = Self.reference(of: targets[start]).type
      let prefix = Self.prefix(ofType: type)
      var end = start + 1
      while end < targets.count, targets[end].starts(with: prefix) { end += 1 }
      for (place, field) in fields.enumerated() where field.field.mayRefer(to: type) {
        let action = field.field.action(for: type)
        var (last, isGone) = (-1, true)
        for (target, row) in try references(in: field.group, to: targets[start..<end], prefix) {
          if mayBeThere, target != last { isGone = try !isThere(Self.reference(of: targets[target])) }
          last = target
          let record = TypedRecordKey(type: field.type.id, sequence: row)
          guard isGone, !removed.kept.contains(record) else { continue }
          try apply(action, place, targets[target], record)
        }
      }
      start = end
    }
  }

  private mutating func apply(
    _ action: ReferenceAction, _ place: Int, _ target: [UInt8], _ record: TypedRecordKey
  ) throws {
    switch action {
    case .restrict: restricting.append(Restriction(target: target, field: place, record: record))
    case .nullify: nullified[record, default: []].append(place)
    case .cascade:
      guard deleted.insert(record).inserted, fields[place].isReferred else { return }
      let name = try snapshot.identifier(of: snapshot.record(record))
      let text = Self.text(of: Reference(type: fields[place].type.type.name, name: name))
      next.append(text)
      if removed.haveLines { causes[text] = target }
    }
  }

  /// Returns the rows of the records that refer to objects of one type in a field, each with the place of the object, ascending. Looks
  /// each object up, or goes through the references, whichever are less.
  private func references(
    in group: UInt64, to targets: ArraySlice<[UInt8]>, _ prefix: [UInt8]
  ) throws -> [(target: Int, row: UInt64)] {
    let tree = IndexCatalog.recordFields.tree
    var found: [(target: Int, row: UInt64)] = []
    let isFew = targets.count <= Self.fewTargets
    let count = isFew ? 0 : try snapshot.forest.count(tree, in: .prefix(prefix, group: group))
    guard isFew || count > 0 else { return [] }
    var cursor = try snapshot.forest.cursor(tree)
    if isFew || count >= targets.count {
      var rows: [UInt64] = []
      for target in targets.indices {
        try cursor.seek(to: .before(group: group, text: targets[target]))
        let end = TextBound.after(group: group, text: targets[target])
        var isMore = true
        while isMore {
          rows.removeAll(keepingCapacity: true)
          isMore = try cursor.read(into: &rows, upTo: end, limit: Self.rowsAtOnce)
          for row in rows { found.append((target, row)) }
        }
      }
      return found
    }
    try cursor.seek(to: .before(group: group, text: prefix))
    var target = targets.startIndex
    for _ in 0..<count {
      guard let row = try cursor.next(), let text = try cursor.text() else { break }
      while target < targets.endIndex, Self.areAscending(targets[target], text) { target += 1 }
      guard target < targets.endIndex else { break }
      if targets[target] == text { found.append((target, row)) }
    }
    return found
  }

  /// Whether there is an object with the name of one that was removed.
  private func isThere(_ reference: Reference) throws -> Bool {
    switch ByteString(reference.type) {
    case ByteString(Reference.messages): try snapshot.locateMessage(reference.name) != nil
    case ByteString(Reference.conversations): try snapshot.locateConversation(reference.name) != nil
    default: try snapshot.locateRecord(reference) != nil
    }
  }

  /// Returns the texts of references to messages of deleted conversations. Reads the messages, or, if there are less references to
  /// messages than these, only if one of the references leads to nothing.
  private func messages(of conversations: [RemovedObjects.Conversation]) throws -> [[UInt8]] {
    let groups = fields.filter { $0.field.mayRefer(to: Reference.messages) }.map(\.group)
    let prefix = Self.prefix(ofType: Reference.messages)
    let tree = IndexCatalog.recordFields.tree
    let count =
      try conversations.isEmpty
      ? 0 : groups.reduce(0) { try $0 + snapshot.forest.count(tree, in: .prefix(prefix, group: $1)) }
    guard count > 0 else { return [] }
    var wanted: Set<[UInt8]>?
    if UInt64(count) < conversations.reduce(0, { $0 + $1.messages }) {
      let missing = try missingMessages(in: groups, prefix)
      guard !missing.isEmpty else { return [] }
      wanted = missing
    }
    var texts: [[UInt8]] = []
    for conversation in conversations {
      try snapshot.forEachName(ofMessagesOf: conversation.row) { name in
        let text = prefix + name
        if wanted?.contains(text) ?? true { texts.append(text) }
      }
    }
    return texts
  }

  /// Returns the texts of references to messages that are not there.
  private func missingMessages(in groups: [UInt64], _ prefix: [UInt8]) throws -> Set<[UInt8]> {
    var texts: Set<[UInt8]> = []
    for group in groups {
      var cursor = try snapshot.forest.cursor(IndexCatalog.recordFields.tree)
      try cursor.seek(to: .before(group: group, text: prefix))
      while try cursor.next() != nil, let key = try cursor.key(), key.group == group,
        key.text.starts(with: prefix)
      {
        texts.insert(key.text)
      }
    }
    return try texts.filter { try !isThere(Self.reference(of: $0)) }
  }

  private func checkRestrictions() throws {
    let stay = restricting.filter { !deleted.contains($0.record) }
    guard let first = stay.first else { return }
    let field = fields[first.field]
    let count = stay.count { $0.field == first.field && $0.target == first.target }
    var context = [
      "object": Self.reference(of: first.target).description, "recordType": field.type.type.name,
      "field": field.field.name, "record": try snapshot.identifier(of: snapshot.record(first.record)),
      "records": "\(count)",
    ]
    var cause = first.target
    while let earlier = causes[cause] { cause = earlier }
    if let line = try removed.line(of: Self.reference(of: cause), in: snapshot) {
      context["line"] = "\(line)"
    }
    throw SatchelError(
      .referenced,
      "A record refers to an object that the write deletes, and its field restricts that: delete the record too, or change the field",
      context)
  }
}

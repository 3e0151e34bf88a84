internal import SatchelCoding
internal import SatchelModel

/// Edits of the parts of an object that can be large: metadata and recipients. (For participants see
/// `Overlay.participants`.)
///
/// They are gathered in hash tables, and applied to the object's fields when these are asked for as a whole, mostly by
/// the flush. So an edit costs its own size, not that of what it changes: a file with thousands of edits of one object
/// costs its length.
protocol GatheredEdits {
  init()
  /// The metadata with its edits; nil if there are none.
  var metadata: MetadataTree? { get set }
  /// Whether the fields are up to date without `EditableFields.apply`.
  var isEmpty: Bool { get }
}

extension GatheredEdits {
  /// Adds steps that have been checked. Returns whether a byte of the metadata differs then.
  /// - Complexity: O(bytes of the steps); for the first steps, O(entries of the metadata) as well.
  mutating func add(_ steps: [MetadataEdit], to old: Metadata) -> Bool {
    guard !steps.isEmpty else { return false }
    let tree = metadata ?? MetadataTree(old)
    metadata = tree
    var isChanged = false
    for step in steps where tree.apply(step) { isChanged = true }
    return isChanged
  }
}

/// The fields of an object whose edits can be gathered.
protocol EditableFields: Equatable {
  associatedtype Edits: GatheredEdits

  mutating func apply(_ edits: Edits)
}

struct MessageEdits: GatheredEdits {
  var metadata: MetadataTree?
  private var recipients: [UInt32: RecipientStatus]?

  var isEmpty: Bool { metadata == nil && recipients == nil }

  /// The recipients by ascending number, if there are edits of them.
  var sortedRecipients: [RecipientFields]? {
    recipients?.map { RecipientFields(user: $0.key, status: $0.value) }.sorted { $0.user < $1.user }
  }

  /// Sets the status of recipients or, with nil, removes them. Returns whether a recipient differs then.
  /// - Complexity: O(`statuses`); for the first ones, O(`old`) as well, and where `isCleared`, O(recipients).
  mutating func add(
    _ statuses: [(user: UInt32, status: RecipientStatus?)], isCleared: Bool, to old: [RecipientFields]
  ) -> Bool {
    guard isCleared || !statuses.isEmpty else { return false }
    var entries = recipients ?? [:]
    if recipients == nil { for entry in old { entries[entry.user] = entry.status } }
    recipients = nil
    let before = isCleared ? entries : [:]
    var isChanged = false
    if isCleared { entries.removeAll() }
    for (user, status) in statuses {
      if entries[user] != status { isChanged = true }
      entries[user] = status
    }
    recipients = entries
    return isCleared ? entries != before : isChanged
  }
}

struct ConversationEdits: GatheredEdits {
  var metadata: MetadataTree?

  var isEmpty: Bool { metadata == nil }
}

struct IdentityEdits: GatheredEdits {
  var metadata: MetadataTree?

  var isEmpty: Bool { metadata == nil }
}

extension StoredMessage: EditableFields {
  mutating func apply(_ edits: MessageEdits) {
    if let tree = edits.metadata { metadata = tree.metadata() }
    if let sorted = edits.sortedRecipients { recipients = sorted }
  }
}

extension StoredConversation: EditableFields {
  mutating func apply(_ edits: ConversationEdits) {
    if let tree = edits.metadata { metadata = tree.metadata() }
  }
}

extension StoredIdentity: EditableFields {
  mutating func apply(_ edits: IdentityEdits) {
    if let tree = edits.metadata { metadata = tree.metadata() }
  }
}

import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Reads the watched properties of an object as one number. The number differs if one of the properties differs, except
/// with a chance of 1 in 2⁶⁴. It is comparable only within this process.
final class FingerprintReader {
  private typealias Contribution = (inout RowContext, inout Hasher) throws -> Void

  private let contributions: [Contribution]

  /// Makes a reader of the watched properties of a kind of object in one snapshot.
  init(_ watched: WatchedProperties, of kind: ObjectKind, in snapshot: Snapshot) {
    contributions = watched.items.map { Self.contribution($0, kind, snapshot) }
  }

  /// Returns the fingerprint of an object that exists.
  func fingerprint(of reference: RowReference) throws -> UInt64 {
    guard !contributions.isEmpty else { return 0 }
    var context = RowContext()
    context.begin(reference)
    var hasher = Hasher()
    for contribute in contributions {
      try contribute(&context, &hasher)
      // Metadata and recipients are as long as they are: a text that moves from one property to the next is a change.
      hasher.combine(Int.min)
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private static func contribution(
    _ item: WatchedProperties.Item, _ kind: ObjectKind, _ snapshot: Snapshot
  ) -> Contribution {
    switch item {
    case .property(let property):
      let read = PropertyReaders(snapshot: snapshot, kind: kind, index: nil).reader(of: property)
      return { row, hasher in
        switch try read(&row) {
        case .missing: hasher.combine(0)
        case .integer(let number):
          hasher.combine(1)
          hasher.combine(number)
        case .scalar(let scalar): hasher.combine(scalar.key)
        case .list(let list): combine(list, into: &hasher)
        case .reference(let bytes): unsafe combine(bytes, into: &hasher)
        case let value: unsafe value.withBytes { unsafe combine(UnsafeRawBufferPointer($0), into: &hasher) }
        }
      }
    case .participants:
      return { row, hasher in hasher.combine(try row.conversation(snapshot).participantSet) }
    case .recipients:
      return { row, hasher in
        try message(&row, kind, snapshot).forEachRecipient {
          hasher.combine($0)
          hasher.combine($1)
        }
      }
    case .transfers:
      return { row, hasher in
        try message(&row, kind, snapshot).forEachPart { hasher.combine($0.transferStatus) }
      }
    case .contents(let withTransfers):
      return { row, hasher in
        let message = try message(&row, kind, snapshot)
        message.forEachPart { part in
          hasher.combine(part.mimeType)
          hasher.combine(part.kind)
          hasher.combine(part.size)
          if withTransfers { hasher.combine(part.transferStatus) }
          hasher.combine(part.storedDigest)
          unsafe combine(part.inlineBytes, into: &hasher)
        }
      }
    case .preview:
      return { row, hasher in
        let message = try message(&row, kind, snapshot)
        guard let (part, index) = message.leadingText else { return hasher.combine(0) }
        try snapshot.withPreview(of: part, index: index, message) { unsafe combine($0, into: &hasher) }
      }
    case .metadata(let path):
      let prefix = path.storedBytes
      return { row, hasher in
        try metadata(&row, kind, snapshot)?.forEachValue { path, value in
          guard
            prefix.isEmpty || path == prefix
              || path.count > prefix.count && path[prefix.count] == UInt8(ascii: ".")
                && path.starts(with: prefix)
          else { return }
          hasher.combine(path)
          switch value {
          case .text(let text): unsafe combine(text, into: &hasher)
          case .scalar(let scalar): hasher.combine(scalar.key)
          case .list(let list): combine(list, into: &hasher)
          case .reference(let bytes): unsafe combine(bytes, into: &hasher)
          }
        }
      }
    case .through(let relation, let item):
      let inner = contribution(item, related(by: relation), snapshot)
      return { row, hasher in
        guard let reference = try self.reference(behind: relation, &row, snapshot) else {
          hasher.combine(0)
          return
        }
        var context = RowContext()
        context.begin(reference)
        try inner(&context, &hasher)
      }
    }
  }

  /// Adds a text with its length, so that "ab" and "c" differ from "a" and "bc".
  private static func combine(_ text: UnsafeRawBufferPointer, into hasher: inout Hasher) {
    hasher.combine(2)
    hasher.combine(text.count)
    unsafe hasher.combine(bytes: text)
  }

  private static func combine(_ list: MetadataListView, into hasher: inout Hasher) {
    _ = unsafe list.contains { text in
      unsafe combine(text, into: &hasher)
      return false
    }
    hasher.combine(3)
  }

  private static func related(by relation: ObjectRelation) -> ObjectKind {
    relation == .conversation ? .conversations : .messages
  }

  private static func reference(
    behind relation: ObjectRelation, _ row: inout RowContext, _ snapshot: Snapshot
  ) throws -> RowReference? {
    let reference = row.reference
    switch relation {
    case .conversation: return RowReference(sequence: UInt64(reference.conversation))
    case .message: return RowReference(sequence: reference.sequence, conversation: reference.conversation)
    case .lastMessage:
      return try row.conversation(snapshot).last.map {
        RowReference(sequence: $0.sequence, conversation: UInt32(truncatingIfNeeded: reference.sequence))
      }
    case .sender, .parts: return nil
    }
  }

  private static func message(_ row: inout RowContext, _ kind: ObjectKind, _ snapshot: Snapshot) throws
    -> MessageView
  {
    kind == .announcements ? try row.announcement(snapshot) : try row.message(snapshot)
  }

  private static func metadata(_ row: inout RowContext, _ kind: ObjectKind, _ snapshot: Snapshot) throws
    -> MetadataView?
  {
    switch kind {
    case .messages, .parts, .announcements: try message(&row, kind, snapshot).metadata
    case .conversations: try row.conversation(snapshot).metadata
    case .identities: try row.identity(snapshot)?.metadata
    case .records: try row.record(snapshot).fields
    }
  }
}

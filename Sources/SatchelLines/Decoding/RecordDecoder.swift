import SatchelModel
import SatchelText
import SatchelWriting

/// Decodes lines of the interchange format, and checks every rule of the format that does not need a store: kinds,
/// keys, types, defaults.
package struct RecordDecoder {
  /// How many keys were ignored because the format does not have them.
  package private(set) var unknownKeys = 0
  /// The first different ones of these keys, ten at most, each up to its 100th scalar.
  package private(set) var firstUnknownKeys: [String] = []
  /// How many lines of each kind there were, valid or not.
  package var lines: [InterchangeKind: Int64] {
    Dictionary(uniqueKeysWithValues: zip(InterchangeKind.allCases, counts).filter { $1 > 0 })
  }
  /// In the order of `InterchangeKind.allCases`.
  private var counts = [Int64](repeating: 0, count: InterchangeKind.allCases.count)
  /// Kept for its memory.
  private var reader = JSONReader(Self.shape)

  /// The version of the format that the lines are of: what the header says, once it has been decoded.
  package private(set) var version: Int64

  /// - Parameter version: The version of the format that the lines are of, if no header comes before them.
  package init(version: Int64 = FileHeader.newestVersion) { self.version = version }

  /// Decodes one line.
  /// - Throws: `LineError` that says what is wrong.
  package mutating func decode(_ line: [UInt8]) throws(LineError) -> InterchangeLine {
    if let message = unsafe reader.readOrdinaryMessage(
      line.span.bytes, parts: Self.shapeOfParts, version: version)
    {
      counts[InterchangeKind.message.index] += 1
      return .record(.message(message.draft, in: message.conversation))
    }
    let object: JSONObject
    do throws(JSONError) {
      guard case .object(let parsed) = unsafe try reader.read(line.span.bytes) else {
        throw unsafe JSONError(offset: 0, expected: "an object", in: line.span.bytes)
      }
      object = parsed
    } catch {
      throw LineError("not JSON: \(error)")
    }
    guard let kind = try object[known: .kind]?.text("kind") else { throw .missing("kind") }
    // Compared by bytes, like everything that a stranger may have written.
    switch ByteString(kind) {
    case "header": return .header(try header(object))
    case "trailer": return .trailer(try trailer(object))
    default:
      guard let kind = InterchangeKind(ByteString(kind)) else { throw LineError("unknown kind \"\(kind)\"") }
      counts[kind.index] += 1
      return .record(try record(object, kind))
    }
  }

  private mutating func record(
    _ object: JSONObject, _ kind: InterchangeKind
  ) throws(LineError) -> InterchangeRecord {
    switch kind {
    case .identity: return .identity(try identity(object))
    case .conversation: return .conversation(try conversation(object))
    case .message:
      var conversation: Conversation.ID?
      let draft = try message(object, conversation: &conversation, isAnnouncement: false)
      guard let conversation else { throw .missing("conversation") }
      return .message(draft, in: conversation)
    case .announcement:
      var conversation: Conversation.ID?
      return .announcement(try message(object, conversation: &conversation, isAnnouncement: true))
    case .update: return try update(object)
    case .delete: return try deletion(object)
    case .declaredIndex: return .index(try index(object))
    case .recordType: return .recordType(try recordType(object))
    case .record: return .record(try self.record(object))
    }
  }

  /// Counts a key that the format does not have.
  mutating func pass(over key: String) {
    unknownKeys += 1
    guard firstUnknownKeys.count < Self.namedKeys else { return }
    let name = String(String.UnicodeScalarView(key.unicodeScalars.prefix(100)))
    if !firstUnknownKeys.contains(where: { UTF8Order.areEqual($0, name) }) { firstUnknownKeys.append(name) }
  }

  private static var namedKeys: Int { 10 }
}

extension RecordDecoder {
  private mutating func header(_ object: JSONObject) throws(LineError) -> FileHeader {
    guard let format = try object["format"]?.text("format") else { throw .missing("format") }
    guard format.hasSameBytes(as: FileHeader.format) else {
      throw LineError("the format is \"\(format)\", not \"\(FileHeader.format)\"")
    }
    guard let version = try object["version"]?.integer("version") else { throw .missing("version") }
    guard version >= 1 else { throw LineError("version \(version) of the format does not exist") }
    guard version <= FileHeader.newestVersion else {
      throw LineError(
        "version \(version) of the format is newer than \(FileHeader.newestVersion), the newest that this program reads"
      )
    }
    self.version = version
    let announcesTrailer = try object["trailer"]?.bool("trailer") ?? false
    for member in object.members {
      switch ByteString(member.key) {
      case "kind", "format", "version", "trailer": break
      default: pass(over: member.key)
      }
    }
    return FileHeader(announcesTrailer: announcesTrailer)
  }

  private mutating func trailer(_ object: JSONObject) throws(LineError) -> FileTrailer {
    var trailer = FileTrailer()
    for member in object.members {
      switch ByteString(member.key) {
      // `sequence`, the last commit whose changes the file has, is for programs that ask for the next changes.
      case "kind", "sequence": break
      case "counts":
        guard let counts = try member.value.object("counts") else { continue }
        trailer.counts = [:]
        for count in counts.members {
          trailer.counts?[ByteString(count.key)] = try count.value.integer("counts.\(count.key)")
        }
      case "sha256": trailer.sha256 = try member.value.text("sha256")
      default: pass(over: member.key)
      }
    }
    return trailer
  }

  /// The fields of an identity that a line may set, by their keys.
  static let fieldsOfIdentities = Dictionary(
    uniqueKeysWithValues: ObjectField.ofIdentities.map { (ByteString($0.description.name), $0) })

  private mutating func identity(_ object: JSONObject) throws(LineError) -> Identity {
    guard let user = try object["userID"]?.text("userID") else { throw .missing("userID") }
    var identity = Identity(userID: Identity.ID(user))
    for member in object.members {
      let value = member.value
      switch ByteString(member.key) {
      case "kind", "userID": break
      case "metadata": identity.metadata = try value.metadata("metadata", version) ?? Metadata()
      default:
        if let field = Self.fieldsOfIdentities[ByteString(member.key)] {
          identity[field] = try value.value(of: field, field.description.name)
        } else {
          pass(over: member.key)
        }
      }
    }
    return identity
  }

  private mutating func conversation(_ object: JSONObject) throws(LineError) -> ConversationDraft {
    guard let identifier = try object["identifier"]?.text("identifier") else { throw .missing("identifier") }
    var draft = ConversationDraft(identifier: Conversation.ID(identifier), participants: [])
    for member in object.members {
      let value = member.value
      switch ByteString(member.key) {
      case "kind", "identifier": break
      case "participants": draft.participants = try value.userIDs("participants") ?? []
      case "remoteID": draft.remoteID = try value.text("remoteID").map { Conversation.ID($0) }
      case "updatedAt": draft.updatedAt = try value.date("updatedAt")
      case "createdAt": draft.createdAt = try value.date("createdAt")
      case "isDistinct": draft.isDistinct = try value.bool("isDistinct") ?? false
      case "metadata": draft.metadata = try value.metadata("metadata", version) ?? Metadata()
      default: pass(over: member.key)
      }
    }
    return draft
  }
}

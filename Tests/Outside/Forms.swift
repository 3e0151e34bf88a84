import Foundation
import Satchel
import SatchelInterchange
import SatchelRelations
import SatchelRelevance
import SatchelResponses

// Every function that reads or writes, once: as top-level code, in a synchronous function, and, moved into an asynchronous one by no more
// than an `await` behind each `try` of a store, a list or a consumer, in that and in a program's `main`. Scripts/forms.swift says which
// functions these are.

let directory = FileManager.default.temporaryDirectory.appending(path: "forms-\(UUID())")
defer { try? FileManager.default.removeItem(at: directory) }
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
let store = try MessageStore(at: directory.appending(path: "chat.satchel"), user: "alice")
let beginning = try store.read { $0.sequence }

// Writing. What is the function's own is used and changed inside and outside of the closures.
var texts = ["One", "Two", "Three", "Four"]
var sent: [Message.ID] = []
let lunch = try store.write { transaction in
  let lunch = try transaction.createConversation(with: ["bob"], id: "lunch", metadata: ["title": "Lunch"]).id
  for (place, text) in texts.enumerated() {
    sent.append(
      try transaction.receive(
        [.text(text)], in: lunch, from: "bob", position: Int64(place),
        sentAt: Date(timeIntervalSince1970: Double(place))))
  }
  try transaction.announce([.text("Hear")], from: "operator", id: "notice")
  try transaction.put(Identity(userID: "bob", displayName: "Bob"))
  texts.removeAll()
  return lunch
}
precondition(texts.isEmpty && sent.count == 4)

// Single objects and many, by their identifiers.
let (message, conversation) = (try store.message(sent[0]), try store.conversation(lunch))
precondition(message?.text == "One" && conversation?.messageCount == 4)
let parts = sent.map { MessagePart.ID("\($0)/parts/0") }
let part = try store.part(parts[1])
let notice = try store.announcement("notice")
let bob = try store.identity("bob")
precondition(part?.text == "Two" && notice?.text == "Hear" && bob?.displayName == "Bob")
let (some, chats) = (try store.messages([sent[3], sent[0]]), try store.conversations([lunch]))
let (pieces, notices) = (try store.parts(parts), try store.announcements(["notice"]))
let people = try store.identities(["bob", "nobody"])
precondition(some.map(\.text) == ["Four", "One"] && chats.count == 1 && pieces.count == 4)
precondition(notices.count == 1 && people.count == 1)

// Records of the program's own types.
let note = RecordType("note") { $0.text("title") }
try store.declare(note)
let saved = try store.write { try $0.save(Record(note, name: "n", ["title": "One"])) }
try store.write { try $0.update(saved.id) { $0["title"] = "Two" } }
let (kept, several) = (try store.record(saved.id), try store.records([saved.id]))
let (types, records) = (try store.types(), try store.recordCount(of: note))
precondition(kept?["title"] == "Two" && several.count == 1 && types.map(\.type) == [note] && records == 1)
struct Note: StorableRecord {
  static let recordType = RecordType("note") { $0.text("title") }
  var id: String
  var title: String
}
try store.write { try $0.save(Note(id: "m", title: "Three")) }
let notes = Note.recordType.order { $0.title }
let (third, pair) = (try store.record("m", as: Note.self), try store.records(["m", "n"], as: Note.self))
let (both, former) = (try store.fetch(notes, as: Note.self), try store.first(notes, as: Note.self))
let leaf = try store.page(notes.limit(1), as: Note.self)
precondition(third?.title == "Three" && pair.map(\.id) == ["m", "n"] && both.map(\.id) == ["m", "n"])
precondition(former?.id == "m" && leaf.objects.map(\.id) == ["m"] && leaf.rowsAfter == 1)

// Reactions, replies and threads.
try store.enable(.reactions, .threads)
try store.write { transaction in
  try transaction.react(to: sent[0], with: "👍", by: "bob")
  try transaction.setParent(sent[0], of: sent[1])
}
let summary = try store.reactionSummary(of: sent[0])
let (reactions, replies) = (try store.reactions(to: sent[0]), try store.replies(to: sent[0]))
let thread = try store.thread(of: sent[0])
let answered = try store.parent(of: sent[1])
precondition(summary["👍"] == 1 && thread.replyCount == 1 && answered == sent[0] && reactions != replies)

// Participants' states.
try store.enable(.participations)
try store.write { try $0.pin(lunch) }
let state = try store.participation(in: lunch)
let states = try store.participations(in: lunch)
let unreadCount = try store.unreadCountSinceLastRead(in: lunch)
precondition(state?.isPinned == true && states.untyped.recordType == "_participation" && unreadCount >= 0)
// Relations between users.
try store.enable(.relations)
try store.write { transaction in
  try transaction.relate(.following, to: "bob")
  try transaction.relate(.following, from: "carol", to: "alice")
  try transaction.unrelate(.following, from: "carol", to: "alice")
}
let following = try store.relations(.following)
let edges = try store.fetch(following, as: Relation.self)
let (followed, isFollowed) = (try store.relationCount(.following), try store.isRelated("bob", .following))
precondition(edges.map(\.to) == ["bob"] && followed == 1 && isFollowed)

// Searches by relevance.
try store.declare(Index(named: "words", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
let best = try store.search(Message.filter { $0.parts.any { $0.text.matches("two") } }.limit(1))
let suggestions = try store.suggestions(for: "tw", in: "words")
precondition(best.map(\.text) == ["Two"] && suggestions.map(\.word) == ["two"])
try store.dropIndex(named: "words")

// Queries.
let query = Message.filter { $0.conversation == "lunch" }.order { $0.position }
let found = try store.fetch(query)
let first = try store.first(query)
let names = try store.identifiers(query.limit(2))
let (number, total) = (try store.count(query.limit(2)), try store.totalCount(query.limit(2)))
let (isAny, rank) = (try store.hasAny(query), try store.rank(of: sent[2], in: query))
let page = try store.page(query.limit(1))
let plan = try store.explain(query)
let utc = TimeZone(secondsFromGMT: 0)!
let days = try store.counts(of: query, by: { $0.sentAt.day(in: utc) })
let mornings = try store.firsts(of: query, by: { $0.sentAt.day(in: utc) })
let countPlan = try store.explain(query, countedBy: { $0.sentAt.day(in: utc) })
precondition(!countPlan.plan.isEmpty && days.map(\.count) == [4] && mornings.map(\.object.id) == [sent[0]])
precondition(found.map(\.id) == sent && first?.id == sent[0] && names == Array(sent.prefix(2)))
precondition(number == 2 && total == 4 && isAny && rank == 2 && page.rowsAfter == 3 && !plan.paths.isEmpty)
var bytes = 0
try store.forEachRecord(of: query) { bytes += try $0.textSize ?? 0 }
try store.forEach(query) { texts.append($0.text ?? "") }
precondition(bytes == 15 && texts == ["One", "Two", "Three", "Four"])
let (title, latest) = try store.read(lease: .init(seconds: 5)) { snapshot in
  (try snapshot.conversation(lunch)?.metadata["title"], try snapshot.first(query.offset(3)))
}
precondition(title == "Lunch" && latest?.text == "Four")

// Contents.
let (text, data) = (try store.text(of: parts[2]), try store.data(of: parts[2], in: 0..<2))
let (content, middle) = (try store.content(of: parts[2]), try store.content(of: parts[2], in: 1..<3))
precondition(
  text == "Three" && data == Data("Th".utf8) && content == Array("Three".utf8) && middle == Array("hr".utf8))

// Indexes.
let bySize = Index(named: "by size", on: Message.self) { [$0.parts.each { $0.size }, $0.sentAt] }
try store.declare(bySize)
let statuses = try store.indexes()
precondition(statuses.map(\.index) == [bySize] && statuses[0].isComplete)
try store.dropIndex(named: "by size")

// Aggregates.
let all = Aggregate(named: "all", counting: Message.all)
let bySender = Aggregate(named: "by sender", counting: Message.all, groupedBy: \.sender.userID)
try store.declare(all)
try store.declare(bySender.untyped)
let (ofAll, ofBob) = (try store.value(of: all), try store.value(of: bySender, for: "bob"))
let (groups, declared) = (try store.values(of: bySender), try store.aggregates())
precondition(ofAll == 4 && ofBob == 4 && groups.count == 1 && declared.count == 2)
try store.dropAggregate(named: "all")

// Lists.
let controller = store.controller(for: query, window: .first(1))
try controller.execute()
try controller.loadNext(1)
try controller.loadPrevious(1)
try controller.setWindow(.first(2))
try controller.setPaginationWindow(-2)
try controller.setUpdatableProperties(["isUnread"])
try controller.setQuery(query, window: .first(3))
precondition(controller.objects.map(\.id) == Array(sent.prefix(3)))
try controller.loadAround(sent[1], before: 0, after: 0)
try controller.loadAround(Date(timeIntervalSince1970: 2), before: 0, after: 1)
let outside = try controller.object(at: IndexPath(indexes: [0, 1]))
precondition(controller.objects.map(\.id) == [sent[2]] && outside?.id == sent[3])
let list = try store.virtualList(of: query)
let (row, rows) = (try list.object(at: 1), try list.objects(at: 2..<4))
precondition(list.total == 4 && row?.id == sent[1] && rows.map { $0?.id } == Array(sent.suffix(2)))
let unread = try store.liveCount(of: Message.filter { $0.isUnread })
let observer = try store.observe(lunch)
let noteObserver = try store.observe(saved.id)
precondition(unread.value == 4 && observer.object?.messageCount == 4 && noteObserver.object?.id == saved.id)

// The feed.
let consumer = try store.consumer(named: "index")
let changes = try store.changes(since: beginning)
try consumer.acknowledge(beginning)
let registered = try store.consumers()
precondition(registered.map(\.name) == ["index"] && !changes.isEmpty)
try consumer.unregister()

// The files.
let file = directory.appending(path: "chat.jsonl")
try store.export(to: .file(file))
let export = try store.export(to: { bytes in precondition(!bytes.isEmpty) })
_ = try store.backup(to: directory.appending(path: "backup.satchel"))
let copy = try MessageStore(at: directory.appending(path: "copy.satchel"), user: "alice")
try copy.importLines(from: .file(file))
let copied = try copy.count(query)
precondition(export.sequence > 0 && copied == 4)
try store.checkpoint()
let readers = try store.readers()
let compaction = try store.compact()
try store.suspend(waitingUpTo: .seconds(60))
try store.resume()
precondition(compaction.bytes > 0 && readers.allSatisfy { $0.commitsBehind < 100 })

// Contents that are stored piece by piece, before the write that gets them.
let scan = directory.appending(path: "scan")
try Data(repeating: 7, count: 100_000).write(to: scan)
let chunks = [[UInt8]](repeating: [1, 2], count: 9_000)
let large = try store.write(
  contents: [.file(scan, mimeType: "image/png"), .chunks(chunks, mimeType: "a/b")], for: lunch
) { try $0.send($1, to: "lunch", id: "large") }
let scanned = try store.data(of: "large/parts/0", in: 99_999..<100_001)
precondition(large == "large" && scanned == Data([7]))
copy.close()
store.close()
print("done")

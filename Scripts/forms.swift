import Foundation

// Checks that every public function that reads or writes a store has a synchronous and an asynchronous form, with the same
// parameters, and that a program uses each in both.
//
//   forms PROGRAM FOLDER...
//
// PROGRAM is the synchronous program, which test-outside.sh moves into asynchronous functions; the folders have symbol graphs. A function
// reads or writes if it throws or is asynchronous, unless it is named here.

/// What has one form, and why. A star stands for anything; a name that stands for nothing is a failure as well.
let exceptions: [(reason: String, names: [String])] = [
  (
    "it is lent to a closure, which is synchronous: the call that lends it has both forms",
    ["StoreSnapshot.*", "WriteTransaction.*", "MessageRecord.*"]
  ),
  (
    "it waits for what is still to happen",
    [
      "MessageStore.message(_:waitingUpTo:)", "VirtualList.next()", "VirtualList.Changes.next*",
      "*.Iterator.next*",
    ]
  ),
  (
    "a store is opened where nothing can be awaited, such as in an initialiser, and mostly takes a moment",
    [
      "MessageStore.init(at:user:options:)", "MessageStore.init(path:user:options:)",
      "MessageStore.init(existingAt:options:)",
    ]
  ),
  ("a property has one form", ["CommitConsumer.acknowledged"]),
  (
    "it is a value, or is made of one, and has no store",
    [
      "*.init(from:)", "*.encode(to:)", "Metadata.*", "QueryPredicate.init(format:*", "Query.init(format:*",
      "SortKey.*", "IndexColumn.*",
      "ListWindow.init(paginationWindow:)", "ObjectProperty.init(path:of:)", "Reference.init(*",
      "Record.init(_:)", "SearchPattern.init(_:)",
      "Record.value(as:)",
    ]
  ),
  (
    "only the store calls it",
    [
      "StoredObject.*", "Conversation.read(*", "Message.read(*", "MessagePart.read(*", "Announcement.read(*",
      "Identity.read(*", "Record.read(*",
    ]
  ),
]

struct Function {
  /// The type and the function, as `MessageStore.count(_:)`.
  let name: String
  /// The types of its parameters, without what the two forms of a function need not have in common.
  let parameters: String
  let isAsynchronous: Bool

  /// Nil for what neither throws nor is asynchronous.
  init?(_ symbol: [String: Any]) {
    guard let components = symbol["pathComponents"] as? [String], let title = components.last,
      let fragments = symbol["declarationFragments"] as? [[String: Any]],
      let kind = (symbol["kind"] as? [String: Any])?["identifier"] as? String,
      ["swift.method", "swift.init", "swift.type.method", "swift.func", "swift.property"].contains(kind)
    else { return nil }
    let text = fragments.compactMap { $0["spelling"] as? String }.joined()
    // Attributes before that may have parentheses of their own.
    let start = text.range(of: kind == "swift.init" ? "init" : kind == "swift.property" ? "var " : "func ")?
      .upperBound
    guard let start else { return nil }
    let (list, effects) = kind == "swift.property" ? ("", text[start...]) : Self.split(text[start...])
    let words = effects.components(separatedBy: "->")[0].split { !$0.isLetter }
    let isAsynchronous = words.contains("async")
    guard isAsynchronous || words.contains("throws") else { return nil }
    // Whoever can read from a store reads from a store, too: its asynchronous forms are the store's.
    let type = components.dropLast().joined(separator: ".").replacingOccurrences(
      of: "StoreReading", with: "MessageStore")
    name = type + "." + title.replacingOccurrences(of: "isolation:", with: "")
    parameters = list
    self.isAsynchronous = isAsynchronous
  }

  /// Returns the parameters' types, and what follows them.
  private static func split(_ text: Substring) -> (String, Substring) {
    guard let open = text.firstIndex(of: "(") else { return ("", text) }
    var depth = 0
    var close = open
    for index in text.indices[open...] {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 {
        close = index
        break
      }
    }
    var list = String(text[text.index(after: open)..<close])
    for word in ["@escaping ", "@Sendable ", "sending ", "isolation: isolated (any Actor)? = #isolation"] {
      list = list.replacingOccurrences(of: word, with: "")
    }
    list = list.trimmingCharacters(in: CharacterSet(charactersIn: ", "))
    return (list, text[text.index(after: close)...])
  }
}

func matches(_ name: String, _ pattern: String) -> Bool {
  let pieces = pattern.components(separatedBy: "*")
  guard pieces.count > 1 else { return name == pattern }
  guard name.hasPrefix(pieces[0]), name.hasSuffix(pieces[pieces.count - 1]) else { return false }
  return pieces.dropFirst().dropLast().allSatisfy { $0.isEmpty || name.contains($0) }
}

guard CommandLine.arguments.count > 2 else {
  print("usage: forms PROGRAM FOLDER...")
  exit(64)
}
let file = CommandLine.arguments[1]
let program = try String(contentsOfFile: file, encoding: .utf8)
var functions: [Function] = []
for folder in CommandLine.arguments.dropFirst(2).map({ URL(fileURLWithPath: $0) }) {
  for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
  where file.hasSuffix(".symbols.json") {
    let graph = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(file)))
    let symbols = (graph as? [String: Any])?["symbols"] as? [[String: Any]] ?? []
    functions += symbols.compactMap { Function($0) }
  }
}

var failures: [String] = []
for (_, names) in exceptions {
  for pattern in names where !functions.contains(where: { matches($0.name, pattern) }) {
    failures.append(
      "Scripts/forms.swift excepts \(pattern), which is no function that throws or is asynchronous")
  }
}
let checked = functions.filter { function in
  !exceptions.contains { $0.names.contains { matches(function.name, $0) } }
}
var both: [String: Int] = [:]
for (key, forms) in Dictionary(grouping: checked, by: { $0.name + " (" + $0.parameters + ")" }).sorted(by: {
  $0.key < $1.key
}) {
  let isSynchronous = forms.contains { !$0.isAsynchronous }
  let isAsynchronous = forms.contains { $0.isAsynchronous }
  if !isSynchronous { failures.append("\(key): no synchronous form") }
  if !isAsynchronous { failures.append("\(key): no asynchronous form") }
  both[forms[0].name.prefix { $0 != "(" }.split(separator: ".").last.map { String($0) } ?? "", default: 0] +=
    1
}
for (name, count) in both.sorted(by: { $0.key < $1.key }) {
  let uses =
    program.components(separatedBy: ".\(name)(").count + program.components(separatedBy: ".\(name) {").count
    - 2
  if uses < count {
    failures.append("\(file) uses \(name) \(uses) times: there are \(count) functions of that name")
  }
}

print(
  "functions that read or write, each in both forms: \(both.values.reduce(0, +)), but for \(failures.count)")
for failure in failures { print("  " + failure) }
exit(failures.isEmpty && !both.isEmpty ? 0 : 1)

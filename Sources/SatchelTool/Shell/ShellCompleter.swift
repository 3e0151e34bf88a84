import SatchelModel
import TerminalInterface

/// Says what may stand at the end of a line of the shell.
struct ShellCompleter {
  private let runner: CommandRunner
  private let arguments: [String: CommandArguments]
  private let names: StoreNames

  init(_ runner: CommandRunner, _ names: StoreNames) {
    self.runner = runner
    self.names = names
    var arguments: [String: CommandArguments] = [:]
    for command in runner.commands {
      arguments[command.configuration.commandName ?? ""] = CommandArguments(of: command)
    }
    self.arguments = arguments
  }

  /// Completes the last word of the beginning of a line.
  func complete(_ beginning: String) -> Completion {
    let line = ShellLine(beginning)
    let end = beginning.unicodeScalars.count
    var words = line.words
    let word = words.last.flatMap { $0.end == end ? $0 : nil } ?? .init(start: end, end: end)
    if words.last?.end == end { words.removeLast() }
    guard let command = words.first?.text else { return choice(word, runner.names.map(\.name)) }
    if command == "help" { return words.count == 1 ? choice(word, runner.names.map(\.name)) : .none }
    guard let arguments = arguments[command] else { return .none }
    let hasOptions = !words.contains { $0.text == CommandArguments.endOfOptions }
    if hasOptions {
      if let option = words.dropFirst().last.flatMap({ arguments.argument(named: $0.text) }),
        option.takesValue
      {
        return value(of: option, word, kind(of: words, arguments))
      }
      if word.text.hasPrefix("-"), word.openQuote == nil {
        return choice(word, arguments.names)
      }
    }
    let before = Self.positional(words.dropFirst(), arguments)
    guard let argument = arguments.argument(at: before.count) else { return .none }
    let isFirst = before.isEmpty && !words.contains { $0.text == "--with" }
    var completion = value(of: argument, word, kind(of: words, arguments), isFirst: isFirst)
    guard hasOptions else { return completion }
    // A command would take a name that begins with a dash for an option.
    completion.candidates = completion.candidates.map { candidate in
      guard candidate.text.drop(while: { $0 == "'" || $0 == "\"" }).hasPrefix("-") else { return candidate }
      return .init(
        name: candidate.name, text: CommandArguments.endOfOptions + " " + candidate.text, end: candidate.end)
    }
    return completion
  }

  /// Returns the words that are known by their places, not by an option before them.
  private static func positional(
    _ words: ArraySlice<ShellLine.Word>, _ arguments: CommandArguments
  ) -> [String] {
    let texts = words.map(\.text)
    return arguments.places(among: texts).map { texts[$0] }
  }

  /// Returns the kind of objects, or the record type, that a line is about: messages if it does not say.
  private func kind(of words: [ShellLine.Word], _ arguments: CommandArguments) -> QueriedKind {
    let positional = Self.positional(words.dropFirst(), arguments)
    if arguments.takesRecordTypes, let first = positional.first.flatMap(QueriedKind.init(argument:)) {
      return first
    }
    return QueriedKind(positional.lazy.compactMap(ObjectKind.init(argument:)).first ?? .messages)
  }

  // MARK: Values of arguments

  private func value(
    of argument: CommandArguments.Argument, _ word: ShellLine.Word, _ queried: QueriedKind,
    isFirst: Bool = false
  ) -> Completion {
    if !argument.values.isEmpty {
      return choice(word, argument.values + (argument.takesRecordTypes ? names.recordTypes : []))
    }
    let completer = PropertyCompleter(queried: queried, names: names)
    switch argument.names.first ?? argument.valueName {
    case "--where": return predicate(word, completer)
    case "--sort": return inner(word) { completer.paths($0, hasSigns: true, .sortable) }
    case "--columns": return inner(word) { completer.paths($0, hasSigns: true, .any) }
    case "--by", "--min", "--max": return inner(word) { completer.paths($0, hasSigns: false, .sortable) }
    case "--date": return inner(word) { completer.paths($0, hasSigns: false, .date) }
    case "--sum": return inner(word) { completer.paths($0, hasSigns: false, .number) }
    case "--members-of", "--in": return choice(word, names.conversations(word.text))
    case "--as": return choice(word, [names.user])
    case "--with": return choice(word, names.users(word.text))
    case "--named", "--drop": return choice(word, names.aggregates.map(\.text))
    case "name": return choice(word, names.indexes.map(\.text))
    case "--index": return choice(word, names.indexesOfWords.map(\.text))
    case "--clear", "name=value":
      let assigns = argument.names.isEmpty
      let settable =
        queried.recordType.map { names.settable(of: $0, clearing: !assigns) }
        ?? UpdateLine(of: queried.kind, "").names(clearing: !assigns).map {
          String($0.prefix { $0 != "." }) + ($0.contains(".") ? "." : "")
        }
      return inner(word) { text in
        Completion(
          start: 0,
          candidates: settable.filter { $0.begins(withTyped: text) }.map {
            .init(
              name: $0, text: assigns && !$0.hasSuffix(".") ? $0 + "=" : $0,
              end: assigns || $0.hasSuffix(".") ? "" : " ")
          })
      }
    case "conversation":
      // Behind the conversation stand texts.
      return isFirst ? choice(word, names.conversations(word.text)) : .none
    case "identifier", "identifiers":
      switch queried.kind {
      case .records: return choice(word, names.records(queried, word.text))
      case .conversations: return choice(word, names.conversations(word.text))
      case .identities: return choice(word, names.users(word.text))
      default: return .none
      }
    default: return .none
    }
  }

  /// Completes a word by one of several; all of it is replaced.
  private func choice(_ word: ShellLine.Word, _ texts: [String]) -> Completion {
    choice(word, texts.filter { $0.begins(withTyped: word.text) }.map { StoreNames.Name(text: $0) })
  }

  private func choice(_ word: ShellLine.Word, _ found: [StoreNames.Name]) -> Completion {
    Completion(
      start: word.start,
      candidates: found.map { name in
        .init(
          name: name.note.isEmpty ? name.text : "\(name.text) (\(name.note))",
          text: ShellLine.spelled(name.text, quote: word.openQuote))
      })
  }

  /// Completes the inside of a word by candidates that need no quotation marks.
  private func inner(_ word: ShellLine.Word, _ complete: (String) -> Completion) -> Completion {
    var completion = complete(word.text)
    completion.start = word.place(of: completion.start)
    return completion
  }

  private func predicate(_ word: ShellLine.Word, _ completer: PropertyCompleter) -> Completion {
    // Behind a closing mark nothing can be added.
    guard word.isPredicate || word.openQuote != nil || word.start == word.end else { return .none }
    guard let outer = word.isPredicate ? nil : word.openQuote else {
      return inner(word) { completer.predicate($0, quote: "'") }
    }
    return inner(word) { text in
      var completion = completer.predicate(text, quote: outer == "'" ? "\"" : "'")
      completion.candidates = completion.candidates.compactMap { candidate in
        guard let text = ShellLine.inside(candidate.text, quote: outer) else { return nil }
        return .init(name: candidate.name, text: text, end: candidate.end)
      }
      return completion
    }
  }
}

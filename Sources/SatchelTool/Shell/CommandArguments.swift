import ArgumentParser
import SatchelLines
import SatchelModel

/// The arguments of a subcommand, as ArgumentParser tells them of its declaration.
struct CommandArguments {
  struct Argument {
    /// Empty for one that is known by its place.
    let names: [String]
    let takesValue: Bool
    let isRepeating: Bool
    /// What the help calls its value.
    let valueName: String
    /// All values that it takes; empty if these are not counted.
    let values: [String]
    /// Whether it takes record types besides.
    let takesRecordTypes: Bool
  }

  /// What stands behind it is no option, whatever it begins with.
  static let endOfOptions = "--"
  /// What the parser takes of each command.
  static let requests = ["-h", "--help", "--help-hidden", "--version"]

  private var arguments: [Argument] = []
  /// Whether the command takes record types besides kinds.
  let takesRecordTypes: Bool

  /// Reads the declaration of a subcommand. ArgumentParser calls the form in which it tells this experimental: where that is another one,
  /// nothing is known of the arguments.
  init(of command: any ParsableCommand.Type) {
    let takesRecordTypes = command is any TakesRecordTypes.Type
    self.takesRecordTypes = takesRecordTypes
    guard let found = try? JSONValue(parsing: Array(Self.declaration(of: command).utf8)),
      case .array(let elements)? = found.member("command")?.member("arguments")
    else { return }
    let kinds = (command as? any TakesKinds.Type)?.kinds.map(\.rawValue)
    arguments = elements.compactMap { Self.argument($0, kinds, takesRecordTypes) }
  }

  private static func declaration(of command: any ParsableCommand.Type) -> String {
    do {
      _ = try command.parseAsRoot(["--experimental-dump-help"])
      return ""
    } catch {
      return command.fullMessage(for: error)
    }
  }

  /// - Parameter kinds: The kinds of objects that the command takes, if these are not all.
  private static func argument(
    _ element: JSONValue, _ kinds: [String]?, _ takesRecordTypes: Bool
  ) -> Argument? {
    guard case .string(let kind)? = element.member("kind"), element.member("shouldDisplay") != .bool(false)
    else {
      return nil
    }
    var names: [String] = []
    if case .array(let elements)? = element.member("names") {
      for name in elements {
        guard case .string(let text)? = name.member("name"), name.member("kind") == .string("long") else {
          continue
        }
        names.append("--" + text)
      }
    }
    var values: [String] = []
    if case .array(let elements)? = element.member("allValues") {
      values = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    var valueName = ""
    if case .string(let text)? = element.member("valueName") { valueName = text }
    if valueName == "kind", let kinds { values = kinds }
    return Argument(
      names: names, takesValue: kind != "flag", isRepeating: element.member("isRepeating") == .bool(true),
      valueName: valueName, values: values, takesRecordTypes: takesRecordTypes && valueName == "kind")
  }

  /// Returns the first of a subcommand's arguments that begins with a dash and is neither an option of it nor the value of one.
  func stray(among words: some Sequence<String>) -> String? {
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
        continue
      }
      if word == Self.endOfOptions { return nil }
      if Self.requests.contains(word) { return word }
      guard word.hasPrefix("-"), word != "-" else { continue }
      let name = word.prefix { $0 != "=" }
      guard let option = argument(named: String(name)) else { return word }
      isValue = option.takesValue && name.count == word.count
    }
    return nil
  }

  /// The names of all options and flags.
  var names: [String] { arguments.flatMap(\.names) }

  /// Returns the option or flag of a name.
  func argument(named name: String) -> Argument? { arguments.first { $0.names.contains(name) } }

  /// Returns the argument at a place among those without names, the store not counted.
  func argument(at index: Int) -> Argument? {
    let places = arguments.filter { $0.names.isEmpty && $0.valueName != Self.store }
    if index < places.count { return places[index] }
    return places.last.flatMap { $0.isRepeating ? $0 : nil }
  }

  /// What the help calls the store.
  private static let store = "store"

  /// Returns where the words stand that are known by their places, not by an option before them.
  func places(among words: [String]) -> [Int] {
    var found: [Int] = []
    var isValue = false
    var hasOptions = true
    for (place, word) in words.enumerated() {
      if isValue {
        isValue = false
      } else if !hasOptions {
        found.append(place)
      } else if word == Self.endOfOptions {
        hasOptions = false
      } else if word.hasPrefix("-") {
        isValue = argument(named: word)?.takesValue ?? false
      } else {
        found.append(place)
      }
    }
    return found
  }

  /// Returns where the store has to stand among the other words of a command.
  func placeOfStore(among words: [String]) -> Int {
    let before = arguments.filter(\.names.isEmpty).prefix { $0.valueName != Self.store }.count
    guard before > 0 else { return 0 }
    let places = places(among: words)
    return places.count >= before ? places[before - 1] + 1 : words.count
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}

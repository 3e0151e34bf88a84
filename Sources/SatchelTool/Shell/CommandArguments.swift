import ArgumentParser
import SatchelInterchange

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
  }

  private var arguments: [Argument] = []

  /// Reads the declaration of a subcommand. ArgumentParser calls the form in which it tells this experimental: where that is another one,
  /// nothing is known of the arguments.
  init(of command: any ParsableCommand.Type) {
    guard let found = try? JSONValue(parsing: Array(Self.declaration(of: command).utf8)),
      case .array(let elements)? = found.member("command")?.member("arguments")
    else { return }
    arguments = elements.compactMap(Self.argument)
  }

  private static func declaration(of command: any ParsableCommand.Type) -> String {
    do {
      _ = try command.parseAsRoot(["--experimental-dump-help"])
      return ""
    } catch {
      return command.fullMessage(for: error)
    }
  }

  private static func argument(_ element: JSONValue) -> Argument? {
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
    return Argument(
      names: names, takesValue: kind != "flag", isRepeating: element.member("isRepeating") == .bool(true),
      valueName: valueName, values: values)
  }

  /// The names of all options and flags.
  var names: [String] { arguments.flatMap(\.names) }

  /// Returns the option or flag of a name.
  func argument(named name: String) -> Argument? { arguments.first { $0.names.contains(name) } }

  /// Returns the argument at a place among those without names, the store not counted.
  func argument(at index: Int) -> Argument? {
    let places = arguments.filter(\.names.isEmpty).dropFirst()
    if index < places.count { return places.dropFirst(index).first }
    return places.last.flatMap { $0.isRepeating ? $0 : nil }
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}

/// Text in GitHub's Markdown.
public enum Markdown {
  /// A text in which nothing means anything to Markdown or HTML.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~": escaped += "\\\(character)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\n", "\r\n": escaped += " "
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// A link of a text that is shown as code.
  public static func link(code text: String, to target: String) -> String {
    "[`\(text.replacing("`", with: "'").replacing("|", with: "\\|"))`](\(target.replacing(" ", with: "%20")))"
  }

  /// A table; the first column is a text, the others are figures. Cells are Markdown already.
  public static func table(_ header: [String], _ rows: [[String]]) -> String {
    let rule = header.indices.map { $0 == 0 ? ":--" : "--:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}

/// An error of the tool itself. Its text says what is wrong, where, and what would be right.
struct ToolError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// An error of the tool itself. Its text says what is wrong, where, and what would be right.
package struct ToolError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

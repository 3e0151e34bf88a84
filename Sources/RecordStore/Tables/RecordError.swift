/// A record that is damaged, or that is missing although something refers to it.
package struct RecordError: Error {
  /// The table that should hold it.
  package let table: String
  /// The record's key, in readable form.
  package let key: String
  /// What is wrong.
  package let finding: String

  package init(_ table: String, _ key: String, _ finding: String) {
    self.table = table
    self.key = key
    self.finding = finding
  }
}

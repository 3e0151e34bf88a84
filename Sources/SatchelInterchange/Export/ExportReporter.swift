/// Counts the objects of an export, and reports every 1,000 of them.
package struct ExportReporter {
  /// How far an export has come.
  package struct Step: Sendable, Hashable {
    package var objects = 0
    /// The number of objects that there will be at the end.
    package var totalObjects = 0
    /// How many bytes have been written, or handed on to be written.
    package var bytes = 0
  }

  package typealias Report = (Step) throws -> Void

  private let report: Report
  private var step = Step()

  init(_ report: @escaping Report) { self.report = report }

  mutating func begin(total: Int) throws {
    step.totalObjects = total
    try report(step)
  }

  mutating func noteObject(bytes: Int) throws {
    step.objects += 1
    step.totalObjects = max(step.totalObjects, step.objects)
    guard step.objects % Self.interval == 0 else { return }
    step.bytes = bytes
    try report(step)
  }

  mutating func end(bytes: Int) throws {
    step.bytes = bytes
    step.totalObjects = step.objects
    try report(step)
  }

  private static let interval = 1000
}

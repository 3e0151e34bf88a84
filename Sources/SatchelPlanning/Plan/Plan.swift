package import SatchelModel
package import SatchelQuery

/// What a query asks, checked and normalised.
package struct Question: Sendable {
  package var kind: ObjectKind
  package var condition: Condition
  package var sort: [ResolvedSort]
  package var limit: Int?
  package var offset: Int
  package var anchor: QueryAnchor?
  /// The number of the type whose records are asked for; 0 for other kinds of objects.
  package var recordType: UInt32 = 0
  /// The conversation whose members are asked for; nil for the objects of a kind.
  package var membersOf: Conversation.ID?
  /// The messages and conversations to which a question for records refers; nil if there are none.
  var named: NamedObjects?
  /// The direction of the creation order if there is no sort key.
  package var creationDescending = false
  /// True if only the number of results is wanted. The order does not matter then, and there is no anchor.
  package var isCount: Bool
  /// The text of the query as it was given, for explain. It is made on demand, because most questions are never
  /// explained.
  package var text: String { makeText() }
  private let makeText: @Sendable () -> String

  package init(
    kind: ObjectKind, condition: Condition, sort: [ResolvedSort], limit: Int?, offset: Int,
    anchor: QueryAnchor?,
    isCount: Bool, text: @autoclosure @escaping @Sendable () -> String
  ) {
    self.kind = kind
    self.condition = condition
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.anchor = anchor
    self.isCount = isCount
    makeText = text
  }

  /// The direction of the creation order, which breaks ties: the direction of the last sort key, if there is one.
  package var tieDescending: Bool { sort.last?.descending ?? creationDescending }

  /// How many rows are read if all of them are results and come in order; nil if all are read.
  var wanted: Int? {
    guard !isCount, anchor == nil, let limit else { return nil }
    let (wanted, isBeyond) = limit.addingReportingOverflow(offset)
    return isBeyond ? nil : wanted
  }

  /// The same question in the reverse order.
  package var reversed: Question {
    var question = self
    question.sort = sort.map(\.reversed)
    question.creationDescending.toggle()
    return question
  }
}

/// How a question will be answered: the chosen path, and all paths that were considered.
package struct Plan: Sendable {
  package var question: Question
  /// The considered paths; the scan of all objects comes first. If the chosen path could not be beaten, or was taken
  /// over from an earlier question of the same shape, it may be the only one.
  package private(set) var paths: [AccessPath]
  /// The index of the chosen path in `paths`.
  package let chosen: Int

  package init(question: Question, paths: [AccessPath], chosen: Int) {
    self.question = question
    self.paths = paths
    self.chosen = chosen
  }

  /// The chosen path.
  package var path: AccessPath { paths[chosen] }

  /// The plan of a question that has no results.
  package static func nothing(_ question: Question) -> Plan {
    let path = AccessPath(
      source: .rows([]), residual: .always, ordering: .index(descending: false), cardinality: 0, consumed: [])
    return Plan(question: question, paths: [path], chosen: 0)
  }

  /// Returns the same plan, with paths that are not chosen.
  func adding(_ others: [AccessPath]) -> Plan {
    var plan = self
    plan.paths += others
    return plan
  }

  /// The plan of the same question in the reverse order, without its anchor: the same runs from their other end. Nil if the path is none whose
  /// direction is that of its ordering alone: then the reverse question is planned.
  package var reversed: Plan? {
    var path = path
    switch path.source {
    case .scan, .textScan, .search: path.ordering = path.ordering.reversed
    case .rows, .intersection, .union, .parts, .byValue: return nil
    }
    var question = question.reversed
    question.anchor = nil
    return Plan(question: question, paths: [path], chosen: 0)
  }

  /// Returns a plan for the same question on another of its paths, given by index.
  package func choosing(_ pathIndex: Int) -> Plan {
    Plan(question: question, paths: paths, chosen: pathIndex)
  }
}

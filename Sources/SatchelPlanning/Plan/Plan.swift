package import SatchelModel
package import SatchelQuery

/// What a query asks, checked and normalised.
package struct Question: Sendable {
  package var kind: ObjectKind
  package var condition: Condition
  package var sort: [ResolvedSort]
  package var limit: Int?
  package var offset: Int
  package var anchor: Anchor?
  /// The direction of the creation order where no sort key gives one.
  package var creationDescending = false
  /// True when only the number of results is wanted, which no order changes; there is no anchor then.
  package var isCount: Bool
  /// The text that the query was given as, for explain. Made when it is asked for: most questions never are explained.
  package var text: String { makeText() }
  private let makeText: @Sendable () -> String

  package init(
    kind: ObjectKind, condition: Condition, sort: [ResolvedSort], limit: Int?, offset: Int, anchor: Anchor?,
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

  /// The direction of the creation order, which breaks ties: that of the last key.
  package var tieDescending: Bool { sort.last?.descending ?? creationDescending }

  /// The same question with its order turned round.
  package var reversed: Question {
    var question = self
    question.sort = sort.map { ResolvedSort($0.property, descending: !$0.descending) }
    question.creationDescending.toggle()
    return question
  }
}

/// How a question will be answered: the path chosen, beside all that were considered.
package struct Plan: Sendable {
  package let question: Question
  /// Every path considered, the scan of all objects first; where the chosen one could not be beaten, or an earlier question
  /// of the same shape took it, maybe no other.
  package let paths: [AccessPath]
  /// The place of the chosen one.
  package let chosen: Int

  package init(question: Question, paths: [AccessPath], chosen: Int) {
    self.question = question
    self.paths = paths
    self.chosen = chosen
  }

  /// The chosen path.
  package var path: AccessPath { paths[chosen] }

  /// The same question on another of its paths.
  package func choosing(_ place: Int) -> Plan { Plan(question: question, paths: paths, chosen: place) }
}

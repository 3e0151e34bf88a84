/// What may stand at the end of a text that is being typed.
package struct Completion {
  package struct Candidate: Hashable {
    /// What the list of candidates shows.
    package let name: String
    /// What takes the place of the unfinished word.
    package let text: String
    /// What follows it if it is the only one: a space, or nothing if more of the word may follow.
    package let end: String

    package init(name: String, text: String, end: String = " ") {
      self.name = name
      self.text = text
      self.end = end
    }
  }

  /// Where the unfinished word begins: the number of scalars before it.
  package var start: Int
  package var candidates: [Candidate]

  package init(start: Int, candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }

  package static let none = Completion(start: 0, candidates: [])

  /// What all candidates begin with or, if there is one, all of it.
  package var commonText: String {
    guard let first = candidates.first else { return "" }
    guard candidates.count > 1 else { return first.text + first.end }
    var common = first.text.unicodeScalars[...]
    for candidate in candidates.dropFirst() {
      let count = zip(common, candidate.text.unicodeScalars).prefix { $0 == $1 }.count
      common = common.prefix(count)
    }
    return String(common)
  }
}

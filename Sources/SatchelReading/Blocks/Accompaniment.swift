/// What comes with an object beside what its record holds: contents that are stored outside it, and objects that it refers to.
package struct Accompaniment {
  package var contents: ContentSelection
  /// Reads the objects that it refers to; nil if none come along.
  package var included: InclusionReader?

  package init(_ contents: ContentSelection = .ofMessage, included: InclusionReader? = nil) {
    self.contents = contents
    self.included = included
  }

  /// What comes with the last message of a conversation.
  var ofLast: Accompaniment { Accompaniment(contents.ofLast, included: included?[.lastMessage]) }
}

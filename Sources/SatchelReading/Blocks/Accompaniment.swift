/// What comes with an object beside what its record holds: contents that are stored outside it, and objects that it refers to.
package struct Accompaniment {
  package var contents: ContentSelection
  /// Reads the objects that it refers to; nil if none come along.
  package var included: InclusionReader?
  /// Reads the objects that records refer to, and computes values of them; nil if nothing comes along.
  package var referenced: RecordInclusionReader?

  package init(_ contents: ContentSelection = .ofMessage, included: InclusionReader? = nil) {
    self.contents = contents
    self.included = included
  }

  /// What has been looked for to come along; nil if nothing comes along.
  package var references: IncludedReferences? {
    guard let referenced else { return included?.references }
    var references = IncludedReferences()
    references.objects = referenced.references
    return references
  }

  /// What comes with the last message of a conversation.
  var ofLast: Accompaniment { Accompaniment(contents.ofLast, included: included?[.lastMessage]) }
}

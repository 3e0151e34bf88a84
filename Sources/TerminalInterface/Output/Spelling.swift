/// Guesses which name was meant by one that was mistyped.
package enum Spelling {
  /// Returns the name that at most two edits make of the text; nil if there is none. An edit inserts, deletes or
  /// replaces a character. Names are lowercase, and the text may be in any case.
  package static func nearest(to text: String, of names: [String]) -> String? {
    let typed = text.lowercased()
    let near = names.map { (name: $0, edits: edits(from: typed, to: $0)) }.min { $0.edits < $1.edits }
    // As many edits as characters make any name of any other.
    guard let near, near.edits <= 2, near.edits < typed.count else { return nil }
    return near.name
  }

  /// Returns the fewest edits that make one text of the other.
  /// - Complexity: O(n m) in their characters.
  private static func edits(from text: String, to name: String) -> Int {
    // The edits from the characters of `text` so far to each beginning of `name`.
    var counts = Array(0...name.count)
    for (index, character) in text.enumerated() {
      var before = counts[0]
      counts[0] = index + 1
      for (place, other) in name.enumerated() {
        let replaced = before + (character == other ? 0 : 1)
        before = counts[place + 1]
        counts[place + 1] = min(replaced, before + 1, counts[place] + 1)
      }
    }
    return counts[name.count]
  }
}

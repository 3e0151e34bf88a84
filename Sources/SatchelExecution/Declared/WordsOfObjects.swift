import RankedIndex
import RankedKeys
import SatchelBytes
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading
import SatchelSearch

/// Makes the entries that objects of one snapshot have in an index of words: the terms of their texts. It reads the texts that conditions read, as
/// they are, because folding makes canonically equivalent texts one: so what the index finds is what reading finds.
final class WordsOfObjects: IndexEntries {
  private let index: DeclaredIndex
  private let snapshot: Snapshot
  private let evaluator: ConditionEvaluator
  /// Nil if the texts are those of parts.
  private let reader: PropertyReader?
  /// Serves all objects, so that a text costs no memory of its own. Not lazy: that would copy all of it at each change.
  private var terms = TextTerms()
  private var bytes: [UInt8] = []

  /// Returns nil for an index of values.
  init?(_ index: DeclaredIndex, in snapshot: Snapshot) {
    guard let property = index.wordsProperty else { return nil }
    self.index = index
    self.snapshot = snapshot
    evaluator = ConditionEvaluator(index.condition, of: index.kind, on: nil, in: snapshot)
    reader =
      property.isToMany
      ? nil : PropertyReaders(snapshot: snapshot, kind: index.kind, index: nil).reader(of: property)
  }

  func add(_ objects: [ObjectRow], of index: UInt32, to batch: inout TextBatch) throws {
    for object in objects {
      terms.removeAll()
      var texts = 0
      unsafe try forEachText(of: object) { text in
        unsafe terms.add(text)
        texts += 1
      }
      forEachEntry(of: object.number, with: texts) { entries, text in
        batch.append(group: entries.group(of: index), text: text, row: object.number)
      }
    }
  }

  func contents(of object: ObjectRow) throws -> [[UInt8]] {
    var texts: [[UInt8]] = []
    unsafe try forEachText(of: object) { unsafe texts.append(Array($0)) }
    return texts
  }

  func keys(_ contents: [[UInt8]], of object: ObjectRow, in index: UInt32) -> [TextKey] {
    guard !contents.isEmpty else { return [] }
    terms.removeAll()
    for text in contents { unsafe text.withUnsafeBufferPointer { unsafe terms.add($0) } }
    var keys: [TextKey] = []
    keys.reserveCapacity(terms.count + 4)
    forEachEntry(of: object.number, with: contents.count) { entries, text in
      keys.append(TextKey(group: entries.group(of: index), text: text.array, row: object.number))
    }
    return keys
  }

  func claims(of object: ObjectRow) throws -> [[UInt8]] { [] }

  /// Calls `body` with each text of an object that meets the predicate, which must not leave it.
  private func forEachText(
    of object: ObjectRow, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    var row = RowContext()
    row.begin(RowReference(object))
    guard try evaluator.matches(&row) else { return }
    guard let reader else {
      let message =
        index.kind == .announcements ? try row.announcement(snapshot) : try row.message(snapshot)
      var parts = message.makePartCursor()
      while let (part, number) = parts.next() {
        let text = try PartText.value(of: part, at: number, in: message, snapshot)
        unsafe try text.withBytes(body)
      }
      return
    }
    let value = try reader(&row)
    if case .list(let list) = value {
      _ = unsafe try list.contains { text in
        unsafe try PropertyValue(text).withBytes(body)
        return false
      }
    } else {
      unsafe try value.withBytes(body)
    }
  }

  /// Calls `body` with the text of each entry of an object whose terms have been gathered, which must not leave it.
  /// - Parameter texts: How many texts the object has.
  private func forEachEntry(
    of number: UInt64, with texts: Int, _ body: (WordEntries, RawSpan) -> Void
  ) {
    guard texts > 0 else { return }
    unsafe terms.forEach { term, frequency in
      unsafe body(.terms, UnsafeRawBufferPointer(term).bytes)
      guard frequency > 1 else { return }
      bytes.removeAll(keepingCapacity: true)
      unsafe WordEntries.append(term, frequency: frequency, to: &bytes)
      unsafe bytes.withUnsafeBytes { unsafe body(.frequencies, $0.bytes) }
    }
    bytes.removeAll(keepingCapacity: true)
    WordEntries.append(length: terms.length, of: number, to: &bytes)
    unsafe bytes.withUnsafeBytes { unsafe body(.lengths, $0.bytes) }
    bytes.removeAll(keepingCapacity: true)
    if texts > 1 { unsafe bytes.withUnsafeBytes { unsafe body(.severalTexts, $0.bytes) } }
  }
}

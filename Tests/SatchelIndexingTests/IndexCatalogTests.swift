import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import Testing

@Suite struct IndexCatalogTests {
  @Test func everyNumberAndNameIsGivenOnce() {
    let numbers = IndexCatalog.numeric.map(\.number) + IndexCatalog.text.map(\.number)
    #expect(numbers.sorted() == Array(1...UInt16(numbers.count)))
    #expect(Set(IndexCatalog.numeric.map(\.name) + IndexCatalog.text.map(\.name)).count == numbers.count)
    #expect(IndexCatalog.text.map(\.number) == IndexCatalog.text.map(\.number).sorted())
  }

  /// The planner takes the first index for every object of a kind, and reads no answer from an index of others.
  @Test(arguments: ObjectKind.allCases) func answersAreReadFromIndexesOfTheirKind(_ kind: ObjectKind) {
    let indexes = IndexCatalog.answering(kind)
    // Of records, a query is for those of one type.
    #expect(indexes.first?.holds == (kind == .records ? .belowFirst : .visible))
    #expect(indexes.first?.since == 1)
    for index in indexes {
      #expect(
        index.kind == kind && ![.hidden, .lookUp, .remoteLookUp].contains(index.holds), "\(index.name)")
    }
    let aside = IndexCatalog.numeric.filter { index in
      index.kind == kind && !indexes.contains { $0 === index }
    }
    for index in aside {
      #expect([.hidden, .lookUp, .remoteLookUp].contains(index.holds), "\(index.name)")
    }
  }

  /// An index of another set than the first has to be made for older stores, from what they have.
  @Test func laterIndexesHoldWhatTheirSourcesHold() {
    for index in IndexCatalog.later {
      // Otherwise its entries are made from the records of visible messages.
      guard let source = index.source else {
        let made = IndexDefinition.Holds.visible
        #expect(index.holds == made || index.holds.restriction != nil && !index.holds.needsFirst)
        continue
      }
      #expect(source.since < index.since && source.kind == index.kind, "\(index.name)")
      #expect(source.holds == index.holds, "\(index.name)")
    }
  }

  /// What reads a row by its meaning finds the column that has the meaning.
  @Test func wordsAreReadFromTheirColumns() {
    let row = Words(10, 11, 12, 13, 14, 15, 16, 17)
    for index in IndexCatalog.numeric {
      let names = index.columns.map(\.name)
      #expect(names.count == index.tree.columns && Set(names).count == names.count, "\(index.name)")
      let object = names.firstIndex(of: "sequence") ?? names.firstIndex(of: "row") ?? 8
      #expect(index.sequence(of: row) == UInt64(10 + object), "\(index.name)")
      #expect(index.object(of: row) == UInt32(10 + object), "\(index.name)")
      #expect(index.columnOfObject < index.tree.keyColumns, "\(index.name)")
      let conversation = names.firstIndex(of: "conversation").map { UInt32(10 + $0) }
      #expect(index.conversation(of: row) == conversation ?? MessageKey.announcements, "\(index.name)")
      #expect(index.columnOfPart == names.firstIndex(of: "index"), "\(index.name)")
      for segment in index.key + index.payload {
        #expect(index.column(of: segment) == names.firstIndex(of: segment.columns[0].name), "\(index.name)")
      }
    }
  }
}

package import SatchelExecution
package import SatchelModel
package import SatchelPlanning

/// An object in a controller's list.
package struct LiveRow<Value: Sendable>: Sendable {
  /// The reference that identifies the object in the store.
  package let reference: RowReference
  /// The object's value when it last changed.
  package var value: Value
  /// The watched properties as one number; see `FingerprintReader`.
  package var fingerprint: UInt64
  /// Grows with every change of the value.
  package var version: UInt64
  /// The value of the section key; `missing` without a section key.
  package var section: SortValue
}

/// The rows that a controller shows after one commit, and how many results there are in all. It is a value: it needs no
/// transaction and does not change.
package struct LiveList<Value: Sendable>: Sendable {
  /// The commit that the list shows.
  package var commit: UInt64
  /// The number of all results, shown or not.
  package var total: Int
  /// The rows, in order.
  package var rows: [LiveRow<Value>]
  /// The number of results before the first row.
  package var start: Int
  /// The index of the first row of each section; `[0]` without sections, even for an empty list.
  package var sections: [Int]
  /// The type of the section key; nil without sections.
  package let sectionType: ValueType?
  /// True if every change of a value is an update.
  package let comparesValues: Bool

  package init(
    commit: UInt64, total: Int, rows: [LiveRow<Value>], start: Int, sectionType: ValueType? = nil,
    comparesValues: Bool = true
  ) {
    self.comparesValues = comparesValues
    self.commit = commit
    self.total = total
    self.rows = rows
    self.start = start
    self.sectionType = sectionType
    sections = sectionType != nil ? Self.starts(of: rows) : [0]
  }

  private static func starts(of rows: [LiveRow<Value>]) -> [Int] {
    rows.indices.filter { $0 == 0 || rows[$0].section != rows[$0 - 1].section }
  }
}

extension LiveList {
  /// Returns how this list differs from an earlier one; `isUpdate` says whether a change of a row that stayed counts.
  ///
  /// With `identifier`, an object that was deleted and created again with the same identifier is one row that stayed.
  /// - Complexity: O(n) for lists of n rows, with comparisons of a few words, and O(k log k) for the k rows between the
  ///   first and the last row that differ.
  package func difference(
    from old: LiveList, identifier: ((Value) -> AnyHashable)? = nil,
    isUpdate: (LiveRow<Value>, LiveRow<Value>) -> Bool
  ) -> ListDifference {
    // If the sections have changed their order, or none was kept, all of them are deleted and inserted, and all rows
    // move.
    let isTurned = sectionsKept(from: old).isEmpty && !sections.isEmpty && !old.sections.isEmpty
    let shorter = isTurned ? 0 : min(rows.count, old.rows.count)
    var head = 0
    while head < shorter, rows[head].isSame(as: old.rows[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head,
      rows[rows.count - 1 - tail].isSame(as: old.rows[old.rows.count - 1 - tail])
    { tail += 1 }
    guard head + tail < max(rows.count, old.rows.count) else { return ListDifference() }
    var newIndices: [RowReference: Int] = [:]
    for index in head..<(rows.count - tail) { newIndices[rows[index].reference] = index }
    var touched: [ListDifference.Row] = []
    func note(_ before: Int, _ after: Int) {
      let (row, now) = (old.rows[before], rows[after])
      touched.append(
        ListDifference.Row(
          before: before, after: after, isChanged: now.version != row.version && isUpdate(row, now),
          isMoved: isTurned || now.section != row.section))
    }
    var gone: [Int] = []
    for index in head..<(old.rows.count - tail) {
      if let after = newIndices.removeValue(forKey: old.rows[index].reference) {
        note(index, after)
      } else {
        gone.append(index)
      }
    }
    if let identifier, !gone.isEmpty, !newIndices.isEmpty {
      let remade = Dictionary(newIndices.map { (identifier(rows[$1].value), $0) }) { first, _ in first }
      gone.removeAll { index in
        guard let reference = remade[identifier(old.rows[index].value)],
          let after = newIndices.removeValue(forKey: reference)
        else { return false }
        note(index, after)
        return true
      }
    }
    touched += gone.map { ListDifference.Row(before: $0, after: nil, isChanged: false) }
    touched += newIndices.values.map { ListDifference.Row(before: nil, after: $0, isChanged: false) }
    return ListDifference(of: touched)
  }

  /// Returns whether both lists have the same rows with the same values in the same sections.
  package func hasSameRows(as other: LiveList) -> Bool {
    sections == other.sections && rows.elementsEqual(other.rows) { $0.isSame(as: $1) }
  }

  /// Returns the section of a row, given by its index among all rows, and the row's index in the section.
  package func sectionAndRow(at index: Int) -> (section: Int, row: Int) {
    var low = 0
    var high = sections.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if sections[middle] <= index { low = middle } else { high = middle }
    }
    return (low, index - (sections.isEmpty ? 0 : sections[low]))
  }

  /// Returns the range of a section's row indices; nil if there is no such section.
  package func indices(ofSection section: Int) -> Range<Int>? {
    guard sections.indices.contains(section) else { return nil }
    let end = section + 1 < sections.count ? sections[section + 1] : rows.count
    return sections[section]..<end
  }
}

extension LiveRow {
  fileprivate func isSame(as other: LiveRow) -> Bool {
    reference == other.reference && version == other.version && section == other.section
  }
}

extension LiveList {
  /// The value of the section key for each section; one `missing` without a section key.
  var sectionValues: [SortValue] {
    sectionType == nil ? [.missing] : sections.map { rows[$0].section }
  }

  /// Returns the values of the sections that this list has kept from an earlier one. There are none if the kept
  /// sections have changed their order, because a table can move a section only by deleting and inserting it.
  func sectionsKept(from old: LiveList) -> Set<SortValue> {
    let (now, before) = (sectionValues, old.sectionValues)
    let common = Set(now).intersection(before)
    return now.filter(common.contains) == before.filter(common.contains) ? common : []
  }
}

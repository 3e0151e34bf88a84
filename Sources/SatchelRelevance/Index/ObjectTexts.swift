import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Reads the texts of a property of objects as they were given: of parts, of names, of a value of metadata or of a field.
struct ObjectTexts {
  private let snapshot: Snapshot
  private let kind: ObjectKind
  /// Nil if the texts are those of parts.
  private let reader: PropertyReader?

  init(of property: ObjectProperty, _ kind: ObjectKind, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.kind = kind
    reader =
      property.isToMany
      ? nil : PropertyReaders(snapshot: snapshot, kind: kind, index: nil).exactReader(of: property)
  }

  /// Calls `body` with each text of an object until it returns false.
  func forEach(of reference: RowReference, _ body: (String) -> Bool) throws {
    func give(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      unsafe body(String(decoding: bytes, as: UTF8.self))
    }
    var row = RowContext()
    row.begin(reference)
    guard let reader else {
      let message = kind == .announcements ? try row.announcement(snapshot) : try row.message(snapshot)
      var parts = message.makePartCursor()
      while let (part, index) = parts.next() {
        let text = try PartText.value(of: part, at: index, in: message, snapshot)
        if let goesOn = unsafe text.withBytes({ unsafe give($0) }), !goesOn { return }
      }
      return
    }
    let value = try reader(&row)
    if case .list(let list) = value {
      _ = unsafe list.contains { unsafe !give($0.assumingMemoryBound(to: UInt8.self)) }
    } else {
      _ = unsafe value.withBytes { unsafe give($0) }
    }
  }
}

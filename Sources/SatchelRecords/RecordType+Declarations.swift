internal import SatchelModel
import SatchelText

extension [RecordType] {
  /// The declarations that may be made one after the other: a field that refers to a type that comes later is left out of the
  /// declaration of its type, and comes in another one of it, behind all others.
  package var declarations: [RecordType] {
    var known: Set<ByteString> = []
    var first: [RecordType] = []
    var rest: [RecordType] = []
    for type in self {
      known.insert(ByteString(type.name))
      var fields = type.fields
      let places = fields.partition { field in
        field.type.neededType.map { !known.contains(ByteString($0)) } ?? false
      }
      first.append(RecordType(type.name, fields: Array<RecordType.Field>(fields[..<places])))
      if places < fields.count {
        rest.append(RecordType(type.name, fields: Array<RecordType.Field>(fields[places...])))
      }
    }
    return first + rest
  }
}

extension RecordType {
  /// The names of the declared fields whose values are texts.
  package var namesOfTexts: [String] { fields.filter(\.type.isText).map(\.name) }
}

extension FieldType {
  /// Whether the values are texts, one or several.
  package var isText: Bool {
    switch self {
    case .text, .texts: true
    case .integer, .number, .boolean, .date, .reference: false
    }
  }
}

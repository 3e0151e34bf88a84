/// Changes of an identity.
package struct IdentityUpdate: Sendable, Hashable {
  /// The new values of some of `ObjectField.ofIdentities`.
  package var values: [ObjectField: FieldValue] = [:]
  package var metadata: [MetadataEdit] = []

  package init() {}
}

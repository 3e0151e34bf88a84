/// The groups of `identity.name`: which of an identity's names a text is.
package enum NameGroup: UInt64, CaseIterable, Sendable {
  case displayName = 1
  case firstName = 2
  case lastName = 3
  case emailAddress = 4
  case phoneNumber = 5
}

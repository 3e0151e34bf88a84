import Satchel
import Testing

/// Windows around an object that its identifier names.
@Suite struct TypedWindowTests {
  @Test func anIdentifierIsTakenAsItsText() {
    let id: Message.ID = "m7"
    #expect(ListWindow.around(id, before: 2, after: 3) == .around("m7", before: 2, after: 3))
    #expect(ListWindow.around(id, before: 2, after: 3) != .around(Message.ID("m8"), before: 2, after: 3))
  }
}

import Foundation
import Satchel
import Testing

/// The code of the article "Upgrading stores".
@Suite struct UpgradingStoresGuide {
  @Test func opening() throws {
    let chats = try GuideStore()
    let directory = chats.directory
    func openForUse(_ directory: URL) throws -> MessageStore? {
      do {
        return try MessageStore(at: directory, user: "alice")
      } catch let error as SatchelError where error.code == .newerFormat {
        print("The store has format", error.context["format"] ?? "?")
        print("This program knows formats up to", error.context["supported"] ?? "?")
        return nil
      }
    }
    #expect(try openForUse(directory) != nil)
  }
}

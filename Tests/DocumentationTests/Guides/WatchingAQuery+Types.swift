import Foundation
import Satchel

// The types of the article "Watching a query", block by block.

@MainActor
protocol TableView: AnyObject {
  func reloadData()
  func beginUpdates()
  func insertSections(_ sections: IndexSet)
  func deleteSections(_ sections: IndexSet)
  func insertRows(at indexPaths: [IndexPath])
  func deleteRows(at indexPaths: [IndexPath])
  func reloadRows(at indexPaths: [IndexPath])
  func endUpdates()
}

@MainActor
final class ConversationList: QueryControllerDelegate {
  private let controller: QueryController<Conversation>
  private let tableView: any TableView

  init(_ store: MessageStore, in tableView: any TableView) {
    self.tableView = tableView
    controller = store.controller(
      for: Conversation.order { $0.lastMessage.receivedAt.descending }, window: .first(25))
    controller.delegate = self
  }

  func load() async throws {
    try await controller.execute()
    tableView.reloadData()
  }

  // The data source.

  var numberOfSections: Int { controller.numberOfSections }

  func numberOfRows(inSection section: Int) -> Int { controller.numberOfObjects(inSection: section) }

  func conversation(at indexPath: IndexPath) -> Conversation? { controller.list.object(at: indexPath) }

  // The delegate.

  func controllerWillChangeContent(_ controller: QueryController<Conversation>) { tableView.beginUpdates() }

  func controller(
    _ controller: QueryController<Conversation>, didChangeSection section: Int, for type: ChangeType
  ) {
    if type == .insert {
      tableView.insertSections([section])
    } else {
      tableView.deleteSections([section])
    }
  }

  func controller(
    _ controller: QueryController<Conversation>, didChange conversation: Conversation,
    at indexPath: IndexPath?, for type: ChangeType, newIndexPath: IndexPath?
  ) {
    switch (type, indexPath, newIndexPath) {
    case (.insert, _, let new?): tableView.insertRows(at: [new])
    case (.delete, let old?, _): tableView.deleteRows(at: [old])
    case (.update, let old?, _): tableView.reloadRows(at: [old])
    case (.move, let old?, let new?):
      tableView.deleteRows(at: [old])
      tableView.insertRows(at: [new])
    default: break
    }
  }

  func controllerDidChangeContent(
    _ controller: QueryController<Conversation>, with changes: ChangeSet<Conversation>
  ) {
    tableView.endUpdates()
  }
}

func follow(
  _ changes: ChangeSequence<Conversation>,
  show: @Sendable (_ rows: [Conversation.ID], _ redrawn: [Conversation.ID]) async -> Void
) async {
  for await set in changes {
    let redrawn = set.changes.filter { $0.type == .update || $0.type == .move }
    await show(set.after.map(\.id), redrawn.map(\.object.id))
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  struct ConversationsView: View {
    let conversations: LiveResults<Conversation>

    var body: some View {
      List(conversations.objects) { conversation in
        Text(conversation.metadata["title"] ?? "untitled").badge(conversation.unreadCount)
      }
      .overlay {
        if conversations.isLoaded && conversations.objects.isEmpty { Text("No conversations yet") }
      }
    }
  }
#endif

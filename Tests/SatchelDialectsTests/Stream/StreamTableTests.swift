import SatchelDialects
import SatchelModel
import SatchelQuery
import TestSupport
import Testing

/// The table of keys: every key that Stream has is in it, and every operator of every key either has the predicate that the golden file shows, or is
/// refused by an error that says of what and why.
@Suite struct StreamTableTests {
  /// The keys of Stream's documentation and of its SDK, version 5.4, by their spelling in JSON.
  private static let documented: [FilteredList: String] = [
    .channels: """
    cid id name image type last_message_at created_by_id created_at updated_at deleted_at hidden frozen disabled blocked archived pinned members
    member_count team joined muted invite member.user.name last_updated channel_role filter_tags has_unread
    """,
    .users: """
    id name image role online banned created_at updated_at last_active invisible unread_channels total_unread_count anon teams
    """,
    .members: """
    id name image role online banned created_at updated_at last_active invisible unread_channels total_unread_count anon teams is_moderator
    user.email channel_role invite joined
    """,
    .messages: "text user.id attachments.type attachments",
    .threads: """
    channel_cid created_at updated_at last_message_at created_by_user_id parent_message_id channel.disabled
    """,
    .reactions: "type user_id",
    .reminders: "channel_cid remind_at created_at",
    .votes: "option_id user_id poll_id is_answer",
  ]

  private static func keys(of list: FilteredList) -> [String] {
    (documented[list] ?? "").split { $0 == " " || $0 == "\n" }.map { String($0) }
  }

  /// Values that a key may be compared with, of which one is right.
  private static let values: [[QueryPredicate.Constant]] = [
    [.text("a"), .text("b")], [.integer(5), .number(2.5)], [.boolean(true)],
    [.text("2024-02-01T12:00:00Z"), .date(Timestamp(microseconds: 0))], [.text("image"), .text("text/csv")],
  ]

  @Test(arguments: FilteredList.allCases) func everyDocumentedKeyIsInTheTable(_ list: FilteredList) {
    let names = FilterTable.of(list).keys.map(\.name)
    #expect(Set(names).count == names.count, "a key stands there twice")
    let keys = Self.keys(of: list)
    #expect(!keys.isEmpty)
    for key in keys { #expect(names.contains(key), "\(list.rawValue) \(key)") }
  }

  /// The first value that the key takes, or the error of the first one.
  private static func outcome<Scope: FilterScope>(
    _ key: String, _ comparing: FilterOperator, _: Scope.Type
  ) -> Result<QueryPredicate, SatchelError> {
    var first: SatchelError?
    for values in values {
      let operand: QueryPredicate.Operand
      switch comparing {
      case .in, .notIn: operand = .list(values)
      case .exists: operand = .boolean(true)
      default: operand = .constant(values[0])
      }
      do {
        return .success(
          try Filter<Scope>(operator: comparing, key: FilterKey<Scope, String>(rawValue: key), value: operand)
            .predicate())
      } catch let error as SatchelError {
        if first == nil { first = error }
      } catch { Issue.record("\(error)") }
    }
    return .failure(first ?? SatchelError(.io, "no value"))
  }

  private static func table<Scope: FilterScope>(_ scope: Scope.Type) -> [String] {
    let custom = ["priority", "custom_score.value"]
    return (FilterTable.of(Scope.list).keys.map(\.name) + custom).flatMap { key in
      let outcomes = FilterOperator.allCases.filter { !$0.isGroupOperator }.map { comparing in
        (comparing.rawValue, meaning(of: key, comparing, scope))
      }
      let start = "\(Scope.list.rawValue) \(key) "
      if Set(outcomes.map(\.1)).count == 1 { return [start + "any operator: " + outcomes[0].1] }
      return outcomes.map { start + $0.0 + ": " + $0.1 }
    }
  }

  /// The text of a predicate, or of a refusal, which has to say of what it is and what would be right.
  private static func meaning<Scope: FilterScope>(
    of key: String, _ comparing: FilterOperator, _ scope: Scope.Type
  ) -> String {
    switch outcome(key, comparing, scope) {
    case .success(let predicate):
      #expect((try? QueryPredicate(format: predicate.description)) == predicate, "\(predicate)")
      return predicate.description
    case .failure(let error):
      #expect(
        error.context["list"] == Scope.list.rawValue && error.context["key"] == key
          && error.context["operator"] == comparing.rawValue && error.context["instead"]?.isEmpty == false,
        "\(error)")
      #expect([.notAvailable, .unsupportedPredicate].contains(error.code), "\(error)")
      return "! \(error.code): \(error.message)"
    }
  }

  @Test func everyOperatorOfEveryKeyHasAMeaningOrIsRefused() throws {
    let lines =
      Self.table(ChannelListFilterScope.self) + Self.table(UserListFilterScope.self)
      + Self.table(MemberListFilterScope.self) + Self.table(MessageSearchFilterScope.self)
      + Self.table(ThreadListFilterScope.self) + Self.table(ReactionListFilterScope.self)
      + Self.table(MessageReminderListFilterScope.self) + Self.table(VoteListFilterScope.self)
    let complaint = try GoldenFile("stream-filters.golden").complaint(
      about: lines.joined(separator: "\n") + "\n")
    #expect(complaint == nil, "\(complaint ?? "")")
  }

  /// A key with a predicate asks for a property that its objects have, by an operator that the property has.
  @Test(arguments: FilteredList.allCases) func predicatesAreOnesThatAStoreAnswers(_ list: FilteredList) throws
  {
    let kinds: [FilteredList: ObjectKind] = [
      .channels: .conversations, .users: .identities, .members: .identities, .messages: .messages,
    ]
    guard let kind = kinds[list] else { return }
    let normalizer = Normalizer(
      QueriedType(kind, keepsOwnStates: true), user: "alice")
    func check<Scope: FilterScope>(_ scope: Scope.Type) throws {
      for key in FilterTable.of(list).keys.map(\.name) + ["priority", "a.b"] {
        for comparing in FilterOperator.allCases where !comparing.isGroupOperator {
          guard case .success(let predicate) = Self.outcome(key, comparing, scope) else { continue }
          #expect(throws: Never.self, "\(predicate)") {
            try normalizer.condition(for: predicate)
          }
        }
      }
      for key in FilterTable.of(list).keys.map(\.name) + ["priority", "a.b"] {
        let sorting = Sorting(key: ListSortingKey<Scope>(rawValue: key))
        do {
          let keys = try FilterTranslation(list).sort([sorting])
          #expect(throws: Never.self, "\(key)") { try normalizer.sort(for: keys) }
        } catch let error as SatchelError {
          #expect(
            [.notAvailable, .unsupportedSort].contains(error.code) && error.context["instead"] != nil,
            "\(error)")
        }
      }
    }
    switch list {
    case .channels: try check(ChannelListFilterScope.self)
    case .users: try check(UserListFilterScope.self)
    case .members: try check(MemberListFilterScope.self)
    default: try check(MessageSearchFilterScope.self)
    }
  }
}

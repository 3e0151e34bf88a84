/// Edits of reactions, replies, participants' states and relations.
extension Generator {
  func responses(_ random: inout Randomness, _ model: Model) -> Edit {
    let edit = responseEdit(&random, model)
    return .responses(edit)
  }

  private func responseEdit(_ random: inout Randomness, _ model: Model) -> ResponseEdit {
    guard model.keepsResponses else { return .enable }
    switch random.below(20) {
    case 0..<10:
      guard let message = random.any(of: model.messages) else { return .enable }
      return ofMessage(message, &random, model)
    case 10..<17:
      guard let conversation = random.any(of: model.conversations) else { return .enable }
      let participant = ResponseEdit.Participant(
        user: random.oneIn(3) ? random.below(Names.users) : 0, conversation: conversation.number)
      return .setState(participant, changed(model.states[participant] ?? .init(), &random))
    default:
      let (one, other) = (random.oneIn(2) ? 0 : random.below(Names.users), random.below(Names.users))
      guard one != other else { return .enable }
      let (from, to) = random.oneIn(2) ? (one, other) : (other, one)
      let kind = random.one(of: ResponseEdit.relationKinds)
      return random.oneIn(3) ? .unrelate(kind, from: from, to: to) : .relate(kind, from: from, to: to)
    }
  }

  private func ofMessage(
    _ message: Model.Message, _ random: inout Randomness, _ model: Model
  ) -> ResponseEdit {
    let kind = random.one(of: ResponseEdit.kinds)
    // Few users, so that there are some whose reactions are taken back.
    let user = random.oneIn(3) ? 0 : random.below(6)
    switch random.below(10) {
    case 0..<5: return .react(kind, user: user, message: message.number)
    case 5, 6: return .removeReaction(kind, user: user, message: message.number)
    case 7: return .setParent(nil, message: message.number)
    default:
      let others = model.messages.filter {
        $0.conversation == message.conversation && $0.number != message.number
      }
      return .setParent(random.any(of: others)?.number, message: message.number)
    }
  }

  private func changed(_ state: ResponseEdit.State, _ random: inout Randomness) -> ResponseEdit.State {
    var state = state
    switch random.below(6) {
    case 0, 1:
      state.pinnedAt = random.oneIn(3) ? nil : 1_750_000_000_000_000 + Int64(random.below(50)) * 1_000_000
    case 2: state.isMuted = random.oneIn(2)
    case 3: state.isArchived = random.oneIn(2)
    case 4: state.role = random.oneIn(3) ? nil : random.one(of: ["admin", "owner", "guest"])
    default: state.lastRead = random.oneIn(6) ? nil : Int64(random.below(5_000)) - 100
    }
    return state
  }
}

extension RuleTable {
  private static let todo = ObjectKind.records("todo")
  private static let everyTodo = ["t1", "t2", "t3", "t4", "5", "t6"]

  /// Fields of records: t1 and t2 are of the list "work", t3 of "home". In "mixed", each has a value of another type: t1 a text, t2 a
  /// number, t3 a reference, t4 a list, 5 a Boolean, t6 a date.
  static let records =
    [
      Rule(todo, nil, everyTodo),
      Rule(.records("list"), nil, ["work", "home"]),
      Rule(.records("note"), nil, ["t1"]),
      Rule(todo, "title = 'Write'", ["t1"]),
      Rule(todo, "title = 'Caf\u{E9}'", ["t2", "t3"]),
      Rule(todo, "title LIKE 'caf_'", ["t2", "t3"]),
      Rule(todo, "title = nil", ["t4", "5", "t6"]),
      Rule(todo, "order = 1.0", ["t1", "t3"]),
      Rule(todo, "order > 1", ["t2"]),
      Rule(todo, "order BETWEEN {-5, 1}", ["t1", "t3", "t6"]),
      Rule(todo, "order IN {2, 7}", ["t2"]),
      Rule(todo, "order NOT IN {2, 7}", ["t1", "t3", "t4", "5", "t6"]),
      Rule(todo, "mixed = '1'", []),
      Rule(todo, "mixed != '1'", everyTodo),
      Rule(todo, "order = 1.5", []),
      Rule(todo, "done", ["t2"]),
      Rule(todo, "done = FALSE", ["t1", "t4"]),
      Rule(todo, "NOT done", ["t1", "t3", "t4", "5", "t6"]),
      Rule(todo, "due > 2024-02-29T00:00:00Z", ["t1"]),
      Rule(todo, "due = 2024-03-01T10:00:00Z", ["t1"]),
      Rule(todo, "mixed = '2024-01-01T00:00:00Z'", []),
      Rule(todo, "tags = 'late'", ["t1", "t2"]),
      Rule(todo, "ALL tags = 'late'", ["t2", "t4"]),
      Rule(todo, "'urgent' IN tags", ["t1"]),
      Rule(todo, "tags = {'late', 'urgent'}", ["t1"]),
      Rule(todo, "tags = {}", ["t4"]),
      Rule(todo, "absent = 1", []),
      Rule(todo, "absent != 1", everyTodo),
      Rule(todo, "theme = {'color': 'red', 'to': REFERENCE('list', 'home')}", ["t1", "t3"]),
      Rule(todo, "theme != {'color': 'red'}", everyTodo),
      Rule(todo, "theme.color = 'red'", ["t1", "t3"]),
      Rule(todo, "theme = nil", ["t1", "t2", "t3", "5", "t6"]),
      Rule(todo, "theme.to = REFERENCE('list', 'home')", ["t1", "t3"]),
      Rule(todo, "#'two words' = TRUE", ["t3"]),
      Rule(todo, "#and = 1", ["t2"]),
      Rule(todo, "#order = 2", ["t2"]),
    ] + ofEveryRecord + references + ordersOfRecords + pathsThroughReferences

  private static let ofEveryRecord = [
    Rule(todo, "identifier = 't1'", ["t1"]),
    Rule(todo, "identifier < 't2'", ["t1", "5"]),
    Rule(todo, "owner = 'alice'", ["t1", "t4", "5", "t6"]),
    Rule(todo, "owner IN {'bob', 'carol'}", ["t2", "t3"]),
    Rule(todo, "createdBy = 'bob'", ["t2", "t3"]),
    Rule(todo, "updatedBy = 'bob'", ["t2"]),
    Rule(todo, "updatedBy = 'carol'", ["t6"]),
    Rule(todo, "createdAt = '2024-02-01T00:00:00Z'", ["t1", "t2"]),
    Rule(todo, "createdAt < updatedAt", ["t1", "t6"]),
    Rule(todo, "owner = createdBy", ["t1", "t3", "t4", "5", "t6"]),
    Rule(.records("list"), "owner = 'bob'", ["home"]),
    Rule(.records("note"), "identifier = 't1' AND createdAt > '2024-02-04T12:00:00Z'", ["t1"]),
  ]

  private static let references = [
    Rule(todo, "list = REFERENCE('list', 'work')", ["t1", "t2"]),
    Rule(todo, "REFERENCE('list', 'home') IN list", ["t3"]),
    Rule(todo, "list != REFERENCE('list', 'work')", ["t3", "t4", "5", "t6"]),
    Rule(todo, "list IN {REFERENCE('list', 'work'), REFERENCE('list', 'nowhere')}", ["t1", "t2", "t4"]),
    Rule(todo, "list NOT IN {REFERENCE('list', 'work'), REFERENCE('list', 'home')}", ["t4", "5", "t6"]),
    Rule(todo, "list = nil", ["5", "t6"]),
    Rule(todo, "list != nil AND done = FALSE", ["t1", "t4"]),
    Rule(todo, "ANY list != REFERENCE('list', 'work')", ["t3", "t4"]),
    Rule(todo, "ALL list != REFERENCE('list', 'work')", ["t3", "t4", "5", "t6"]),
    Rule(todo, "NONE list = REFERENCE('list', 'work')", ["t3", "t4", "5", "t6"]),
    Rule(todo, "about = REFERENCE('list', 'home')", ["t3"]),
    Rule(todo, "about = REFERENCE('identities', 'home')", ["t4"]),
    Rule(
      todo, "about = REFERENCE('messages', 'm1') OR about = REFERENCE('conversations', 'c1')", ["t1", "t2"]),
    Rule(todo, "list = about", ["t3"]),
    Rule(todo, "about = message", ["t1"]),
    Rule(todo, "list != about", ["t1", "t2", "t4", "5", "t6"]),
    Rule(todo, "list <= about", []),
    Rule(todo, "list = mixed", []),
    Rule(todo, "mixed = REFERENCE('list', 'work')", ["t3"]),
    Rule(todo, "about = identifier", []),
    Rule(.records("note"), "list = REFERENCE('note', 't1')", ["t1"]),
    Rule(.records("list"), "parent = REFERENCE('list', 'work')", ["home"]),
  ]

  /// Missing, Booleans, numbers, dates, texts, lists, references, these by the type and then the identifier.
  private static let ordersOfRecords = [
    Rule(todo, nil, sort: ["mixed"], ["5", "t2", "t6", "t1", "t4", "t3"]),
    Rule(todo, nil, sort: ["-mixed"], limit: 3, ["t3", "t4", "t1"]),
    Rule(todo, nil, sort: ["about"], ["5", "t6", "t2", "t4", "t3", "t1"]),
    Rule(todo, nil, sort: ["-list"], ["t2", "t1", "t4", "t3", "t6", "5"]),
    Rule(todo, nil, sort: ["tags"], ["t3", "5", "t6", "t1", "t2", "t4"]),
    Rule(todo, nil, sort: ["order", "-title"], ["5", "t4", "t6", "t1", "t3", "t2"]),
    Rule(todo, nil, sort: ["createdBy", "-createdAt"], ["t6", "5", "t4", "t1", "t3", "t2"]),
    Rule(todo, "order != nil", sort: ["identifier"], limit: 2, offset: 1, ["t2", "t3"]),
    Rule(todo, nil, sort: ["-updatedAt"], limit: 2, ["t6", "5"]),
    Rule(todo, nil, sort: ["owner"], ["t1", "t4", "5", "t6", "t3", "t2"]),
    Rule(.records("list"), nil, sort: ["-rank"], ["home", "work"]),
  ]
}

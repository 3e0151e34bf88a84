extension RuleTable {
  private static let othersThanM8 = everyMessage.filter { $0 != "m8" }
  private static let othersThanM8AndM9 = othersThanM8.filter { $0 != "m9" }

  static let custom = [
    Rule(.messages, "metadata.n = 5", ["m8", "m9"]),
    Rule(.messages, "metadata.n = 5.0", ["m8", "m9"]),
    Rule(.messages, "metadata.n = '5'", []),
    Rule(.messages, "metadata.n != '5'", everyMessage),
    Rule(.messages, "metadata.n != 5", othersThanM8AndM9),
    Rule(.messages, "metadata.n > 4.5 AND metadata.n < 5.5", ["m8", "m9"]),
    Rule(.messages, "metadata.n > 5 OR metadata.n <= 4", []),
    Rule(.messages, "metadata.n IN {4, 5.0}", ["m8", "m9"]),
    Rule(.messages, "metadata.n NOT IN {4, 5.0}", othersThanM8AndM9),
    Rule(.messages, "metadata.n != nil", ["m8", "m9"]),
    Rule(.messages, "metadata.r BETWEEN {2, 3}", ["m8"]),
    Rule(.messages, "metadata.r BETWEEN {3, 2}", []),
    Rule(.messages, "metadata.on", ["m8"]),
    Rule(.messages, "metadata.on != TRUE", othersThanM8),
    Rule(.messages, "metadata.on = 1", []),
    Rule(.messages, "metadata.on IN {TRUE, FALSE}", ["m8", "m9"]),
    Rule(.messages, "metadata.due < 2024-06-01T00:00:00Z", ["m8"]),
    Rule(.messages, "metadata.due < '2025'", []),
    Rule(.messages, "metadata.due = 2024-01-01T00:00:00Z", ["m8"]),
    Rule(.messages, "metadata.mixed = '5'", ["m8"]),
    Rule(.messages, "metadata.mixed > 9007199254740992.0", ["m9"]),
    Rule(.messages, "metadata.mixed = 9007199254740992", []),
    Rule(.messages, "metadata.mixed LIKE '%'", ["m8"]),
    Rule(.messages, "NOT metadata.mixed LIKE '_'", othersThanM8),
    Rule(.messages, "metadata.mixed BEGINSWITH ''", ["m8"]),
    Rule(.messages, nil, sort: ["metadata.mixed"], ["m1", "m2", "m3", "m4", "m6", "m7", "m9", "m8"]),
    Rule(.messages, nil, sort: ["-metadata.on"], limit: 3, ["m8", "m9", "m7"]),
  ]
}

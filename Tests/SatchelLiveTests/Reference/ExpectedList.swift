import Satchel
import SatchelLive
import SatchelPlanning

/// What a live query has to show in a world: worked out from fresh queries and nothing else.
struct ExpectedList {
  /// A row, with everything whose change is an update.
  struct Row {
    let object: WorldObject
    let watched: ExpectedValue
    /// The value of the section key; missing without one.
    let section: ExpectedValue
  }

  let total: Int
  let rows: [Row]
  let sections: [Int]
  let start: Int

  /// - Parameter place: What the window hangs on; it changes with what is in the world.
  init(_ question: LiveQuestion, in world: World, at place: inout WindowPlace?, watch: Int) throws {
    let (results, total) = try Self.results(of: question, in: world)
    self.total = total
    let places: Range<Int>
    let sort = question.query.sort
    switch question.specification.window {
    case .all: places = results.indices
    case .first(let count): places = 0..<min(count, results.count)
    case .last(let count): places = max(0, results.count - count)..<results.count
    case .tail(let count):
      (places, place) = WindowPlace.tail(count, of: results, sort, at: place, in: world)
    case .around(_, let before, let after):
      guard let place else { preconditionFailure("a window around nothing") }
      let middle = place.rank(in: results, world)
      let isHeld = middle < results.count && results[middle].reference == place.row.reference
      places = max(0, middle - before)..<min(results.count, middle + after + (isHeld ? 1 : 0))
    case .aroundDate(let date, let before, let after) where question.isByPosition:
      var middle = WindowPlace.rank(of: date, sort[0], in: results)
      if let place { middle = place.rank(in: results, world) }
      if place == nil, middle < results.count { place = WindowPlace(results[middle], sort, in: world) }
      places = max(0, middle - before)..<min(results.count, middle + after)
    case .aroundDate(let date, let before, let after):
      let key = sort[0]
      let middle =
        results.firstIndex { object in
          let value = world.property(key.path[...], of: object)
          let limit = ExpectedValue(date)
          return key.descending ? value <= limit : value >= limit
        } ?? results.count
      places = max(0, middle - before)..<min(results.count, middle + after)
    }
    guard question.specification.showsRows else {
      (rows, sections, start) = ([], question.specification.sectionKey == nil ? [0] : [], 0)
      return
    }
    start = places.lowerBound
    let paths = question.watchedPaths
    let sectionPath = question.sectionPath
    rows = results[places].map { object in
      Row(
        object: object, watched: world.watched(paths, watch, of: object),
        section: sectionPath.map { world.sortValue($0, of: object) } ?? .missing)
    }
    sections = sectionPath == nil ? [0] : Self.sections(of: rows)
  }

  static func results(of question: LiveQuestion, in world: World) throws -> ([WorldObject], Int) {
    var query = question.query
    func objects(_ identifiers: [String]) throws -> [WorldObject] {
      try identifiers.map { identifier in
        guard let object = try world.object(identifier, of: question.query) else {
          preconditionFailure("a result that cannot be seen: \(identifier)")
        }
        return object
      }
    }
    guard let residual = question.residual else {
      let total = try world.snapshot.count(query)
      guard question.specification.showsRows else { return ([], total) }
      return (try objects(try world.snapshot.identifiers(query)), total)
    }
    query.limit = nil
    query.offset = 0
    let all = try objects(try world.snapshot.identifiers(query)).filter { residual.test($0.value) }
    let shown = Array(all.dropFirst(question.query.offset).prefix(question.query.limit ?? .max))
    return (shown, shown.count)
  }

  private static func sections(of rows: [Row]) -> [Int] {
    rows.indices.filter { $0 == 0 || rows[$0].section != rows[$0 - 1].section }
  }
}

/// An object with what it is sorted by.
struct PlacedRow {
  let reference: RowReference
  let sort: [SortKey]
  let keys: [ExpectedValue]

  init(_ object: WorldObject, _ sort: [SortKey], in world: World) {
    reference = object.reference
    self.sort = sort
    keys = sort.map { world.sortValue($0.path, of: object) }
  }

  /// True where another object comes before this one in the query's order.
  func isBehind(_ other: WorldObject, in world: World) -> Bool {
    for (key, mine) in zip(sort, keys) {
      let value = world.sortValue(key.path, of: other)
      if value == mine { continue }
      return (value < mine) != key.descending
    }
    let isEarlier = other.reference < reference
    return sort.last?.descending ?? false ? other.reference != reference && !isEarlier : isEarlier
  }
}

extension World {
  /// The value that a property has in an order: metadata that is no text is missing.
  func sortValue(_ path: [String], of object: WorldObject) -> ExpectedValue {
    let value = property(path[...], of: object)
    if case .list = value { return .missing }
    return value.asSortKey
  }

  /// The values of several properties as one.
  /// - Parameter watch: A number for the paths, by which the answer is remembered.
  func watched(_ paths: [[String]], _ watch: Int, of object: WorldObject) -> ExpectedValue {
    let key = Known(watch: watch, reference: object.reference)
    if let value = known[key] { return value }
    let value = ExpectedValue.list(paths.map { property($0[...], of: object) })
    known[key] = value
    return value
  }
}

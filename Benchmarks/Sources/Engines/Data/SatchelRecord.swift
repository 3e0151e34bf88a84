import Satchel

/// A record of an application, where GRDB is imported as well: that has a `Record` of its own.
public typealias SatchelRecord = Record

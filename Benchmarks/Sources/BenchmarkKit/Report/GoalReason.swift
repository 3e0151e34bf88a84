/// What the time goes to where a goal is missed, as profiles showed it (`perf record` on a store of 1,000,000 messages), or,
/// for commits and what is only in the journal, what their way consists of (Documentation/Writing.md).
/// Shown beside the figures of whatever run misses it; look again when the figures have changed.
enum GoalReason {
  static let seeds = """
    a list's time is that of making its objects: a look-up in LMDB, a copy of the record and the strings that are read, \
    which every engine has to make, for SQLite in C. A single conversation or a handful of them is mostly the \
    query itself: it is built, normalised and planned whenever it is asked, where a prepared statement is ready.
    """
  static let counts = """
    a count is a descent or two of an index, some microseconds with the transaction and the plan around it, whatever \
    the number of rows. 500× is reached where SQLite has to count 100,000 rows or skip them; where it counts \
    few, or reads a column in which the schema keeps the number, no engine could: it takes 4 to 300 µs itself.
    """
  static let flat = """
    the time is that of nodes that the processor's cache no longer holds, one or two levels more of them; rows are not \
    visited.
    """
  static let page = """
    each of the 20 messages is a look-up, a copy of its record and three strings; raw LMDB with a flat record needs \
    two fifths of SQLite's time for the same, which bounds what is left to gain.
    """
  static let identifiers = """
    an identifier is a string, and to allocate it costs more than a fifth of what SQLite takes for its row; messages lie \
    by conversation, so that identifiers in the order of arrival are read from all over the file.
    """
  static let scan =
    "objects are not made, but each record is found by LMDB's cursor and checked for being whole."
  static let smallCommits = """
    one sync of the journal is most of it, as it is of SQLite's; the rest is the entries of a dozen indexes and of the \
    log. See Documentation/Writing.md.
    """
  static let inserts = """
    a message is entered into a dozen indexes and logged for live queries; processor time, not the disk, is most of it \
    from 1,000 messages a commit on: encoding, sorting the entries and merging them into nodes.
    """
  static let checkpoints = """
    a checkpoint takes 16,000 commits to LMDB, leaf by leaf, beside those that follow: they share the disk and the processors \
    with it; what is before that is told of the commits without one.
    """
  static let live = """
    one sync of the journal is most of it; the followed list is brought up to date while the next commits are made, which \
    takes processor time from them.
    """
  static let changes = """
    one sync of the journal is most of it; a message that changes is taken out of each index that shows what has changed \
    and entered again, and what followers need is logged.
    """
  static let lives = """
    one sync of the journal is half of it or more, as of SQLite's; the rest is processor time all along the way of a commit, no \
    part of which is a tenth: the write takes its turn among processes, the names are looked up, the record is read, the entries \
    of a dozen indexes are compared, the log and the journal are written, and all that the write has made is given back. A \
    confirmation changes seven indexes of messages, of which SQLite has three here, and finds the last message of the \
    conversation anew. A deletion for everyone looks through the whole change log for contents that have to leave it. A delivery \
    that says nothing new waits for no disk: half of what it takes is the beginning and the end of the write.
    """
  static let tail = """
    a read counts and merges the rows that are only in the journal beside those of each tree; where it returns few, that is \
    a large part of what it does.
    """
  static let fullJournal =
    "all commits in the journal are read, checked and sorted into the rows beside the trees before anything is read."
  static let firstCommit =
    "the journal is read on to its end and synced before a process appends to it for the first time."
  static let corpusImport = "decoding lines, hashing contents and building thirteen index entries a message."
  static let coldPage =
    "pages of the file that are read one after the other, each waiting for the one before."
  static let responses = """
    for each message the entries of its reactions are read, and counted where a kind has many, and its replies are counted: two or more \
    descents in an index of texts, where an integer tells SQLite where the message's reactions lie.
    """
  static let reactions = """
    one sync of the journal is most of it; a reaction is a record with entries in the indexes of values and references, and in the log, where \
    SQLite has one row in one tree.
    """
  static let ownStates = """
    SQLite has the states on the conversation's row, in one index with the rest of the order. Here they are records: the pinned ones are \
    sorted before the list is read, and each conversation of the list is looked for among what is said of conversations. The list without \
    states is not three times as fast either.
    """
  static let mutualRelations =
    "the entries of both directions are walked through and compared, some 0.1 µs for each edge; nothing keeps their number."
}

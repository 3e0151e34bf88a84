package import StoreFiles

/// What is wrong with a page of the file: its number, and the first thing that contradicts LMDB's format.
@usableFromInline package struct PageFault: Error, Equatable, Sendable {
  /// The page that was read, or to which another page pointed.
  @usableFromInline package let page: UInt64
  @usableFromInline package let cause: Cause
  /// The `errno` of a call that failed: then nothing is known of the page, and another read may succeed. 0 if the bytes
  /// themselves are wrong.
  @usableFromInline package let systemError: Int32

  @usableFromInline package init(_ page: UInt64, _ cause: Cause, systemError: Int32 = 0) {
    self.page = page
    self.cause = cause
    self.systemError = systemError
  }

  /// What the error that names this fault is: a read that failed is no damage.
  package var code: LMDBError.Code { systemError == 0 ? .corrupted : .io(systemError) }

  @usableFromInline package enum Cause: UInt8, Sendable, CaseIterable {
    /// The number is that of a meta page, or lies after the last page of the snapshot or of the file.
    case outside
    /// The page carries the number of another page.
    case foreignNumber
    /// The flags are not those of a branch, a leaf or an overflow page.
    case flags
    /// The page is not of the kind that belongs here.
    case kind
    /// The bounds of the free space in the middle of the page are impossible.
    case bounds
    /// A slot points outside the part of the page that holds the nodes.
    case slot
    /// Two nodes overlap, or there is something between nodes that is not a node.
    case overlap
    /// A key is empty, too long, or does not end inside its page.
    case key
    /// The keys do not ascend.
    case order
    /// A value does not end inside its page.
    case value
    /// A value is marked as a kind that is not used here.
    case valueKind
    /// An overflow page's run is too short for its value, or longer than the file.
    case run
    /// The record of a tree has a wrong length, flags, depth or root.
    case treeRecord
    /// The pages of a tree do not lie on as many levels as its record says, or lead back to earlier pages.
    case shape
    /// The bytes could not be read from the file.
    case unreadable
  }
}

extension PageFault: CustomStringConvertible {
  /// "page 17: it carries another page's number".
  @usableFromInline package var description: String { "page \(page): \(finding)" }

  private var finding: String {
    switch cause {
    case .outside: "it lies outside the store's pages"
    case .foreignNumber: "it carries another page's number"
    case .flags: "its flags are not those of a page of a tree"
    case .kind: "it is not the kind of page that belongs here"
    case .bounds: "the bounds of its free space are impossible"
    case .slot: "a slot points outside its nodes"
    case .overlap: "its nodes overlap or leave gaps"
    case .key: "a key is empty, too long or ends outside the page"
    case .order: "its keys do not ascend"
    case .value: "a value ends outside the page"
    case .valueKind: "a value is of a kind that is not used here"
    case .run: "its overflow pages do not fit its value or the file"
    case .treeRecord: "it holds an impossible record of a tree"
    case .shape: "it does not belong where it stands in its tree"
    case .unreadable where systemError != 0: "it could not be read: \(systemMessage(systemError))"
    case .unreadable: "it cannot be read from the file"
    }
  }
}

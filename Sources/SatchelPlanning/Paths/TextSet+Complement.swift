package import SatchelQuery

extension TextSet {
  /// Every text that is not in the set.
  package var complement: TextSet {
    switch self {
    case .ranges(let ranges): .ranges(ranges.complement)
    case .pattern(let pattern, let complement): .pattern(pattern, complement: !complement)
    }
  }
}

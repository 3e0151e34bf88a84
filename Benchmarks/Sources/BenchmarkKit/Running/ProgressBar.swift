import Foundation

/// What a run is doing, on standard error: a bar with the time gone and the time still expected on a terminal, a plain
/// line a step elsewhere, nothing if it has to be quiet.
public final class ProgressBar {
  /// How progress is told.
  public enum Style: Sendable {
    /// A bar that is drawn over itself.
    case bar
    /// A line a step.
    case lines
    /// Not at all.
    case quiet

    /// What suits standard error.
    public static var automatic: Style { isatty(2) == 1 ? .bar : .lines }
  }

  private let style: Style
  private let clock = Stopwatch()
  private let write: (String) -> Void
  private var total = 0.0
  private var done = 0.0
  private var label = ""
  private var drawn = -1.0

  /// Progress on standard error, or wherever `write` brings it.
  public init(style: Style = .automatic, write: ((String) -> Void)? = nil) {
    self.style = style
    self.write = write ?? { FileHandle.standardError.write(Data($0.utf8)) }
  }

  /// Announces work, in whatever weight the steps are given.
  public func expect(_ weight: Double) {
    total += weight
  }

  /// Tells what is being done now.
  public func show(_ label: String) {
    self.label = label
    switch style {
    case .bar: draw()
    case .lines: write("\(ProgressBar.time(clock.seconds)) \(percent)% \(label)\n")
    case .quiet: break
    }
  }

  /// Tells how it goes within the step, a few times a second at most.
  public func touch(_ detail: String = "") {
    guard case .bar = style, clock.seconds - drawn > 0.2 else { return }
    draw(detail)
  }

  /// A step of this weight is done.
  public func advance(by weight: Double) {
    done = min(total, done + weight)
    touch()
  }

  /// Removes the bar.
  public func finish() {
    if case .bar = style { write("\r\u{1b}[K") }
  }

  private var portion: Double { total > 0 ? done / total : 0 }

  private var percent: String {
    let text = String(Int(portion * 100))
    return String(repeating: " ", count: 3 - text.count) + text
  }

  private func draw(_ detail: String = "") {
    drawn = clock.seconds
    let width = 24
    let filled = Int(portion * Double(width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    var times = ProgressBar.time(drawn)
    if portion > 0.02 { times += ", \(ProgressBar.time(drawn / portion - drawn)) to go" }
    let text = "\(bar) \(percent)%  \(times)  \(label)\(detail.isEmpty ? "" : " " + detail)"
    write("\r\u{1b}[K" + text.prefix(ProgressBar.columns - 1))
  }

  /// The width of the terminal.
  private static var columns: Int {
    var size = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 100 }
    return Int(size.ws_col)
  }

  /// Seconds as minutes and seconds.
  static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// Dates as whole microseconds since 1970-01-01T00:00:00Z, read from and written as RFC 3339.
enum Timestamp {
  /// Microseconds, more than six fractional digits rounded to the nearest (a tie upwards); nil for anything else.
  static func parse(_ text: ByteString) -> Int64? {
    var rest = text.utf8[...]
    func digits(_ count: Int) -> Int64? {
      guard rest.count >= count else { return nil }
      var value: Int64 = 0
      for byte in rest.prefix(count) {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      rest = rest.dropFirst(count)
      return value
    }
    func take(_ accepted: String) -> Bool {
      guard let byte = rest.first, accepted.utf8.contains(byte) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2), take("Tt"),
      let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2)
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, in: year), hour < 24, minute < 60,
      second < 60
    else { return nil }
    var fraction: Int64 = 0
    if take(".") {
      let run = rest.prefix { (0x30...0x39).contains($0) }
      guard !run.isEmpty else { return nil }
      rest = rest.dropFirst(run.count)
      for index in 0..<6 {
        fraction = fraction * 10 + (index < run.count ? Int64(Array(run)[index] - 0x30) : 0)
      }
      if run.count > 6, Array(run)[6] >= 0x35 { fraction += 1 }
    }
    var offset: Int64 = 0
    if !take("Zz") {
      let isWest = rest.first == 0x2D
      guard take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    let minutes = (days(year: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1_000_000 + fraction
  }

  /// In UTC, with a fraction only where there is one. The year must lie in 0000 ... 9999.
  static func format(_ microseconds: Int64, offsetMinutes: Int64 = 0) -> String {
    let local = microseconds + offsetMinutes * 60_000_000
    let second = floorDivide(local, 1_000_000)
    let day = floorDivide(second, 86_400)
    let clock = second - day * 86_400
    let (year, month, date) = civil(day)
    var text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(date, 2))T"
    text += "\(pad(clock / 3_600, 2)):\(pad(clock / 60 % 60, 2)):\(pad(clock % 60, 2))"
    let fraction = local - second * 1_000_000
    if fraction != 0 {
      var digits = pad(fraction, 6)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    if offsetMinutes == 0 { return text + "Z" }
    let size = abs(offsetMinutes)
    return text + (offsetMinutes < 0 ? "-" : "+") + "\(pad(size / 60, 2)):\(pad(size % 60, 2))"
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func length(ofMonth month: Int64, in year: Int64) -> Int64 {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days since 1970-01-01, counted year by whole years and month by month: slow to say, easy to believe.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    var days = firstDay(of: year) + day - 1
    for earlier in 1..<max(month, 1) where earlier < month { days += length(ofMonth: earlier, in: year) }
    return days
  }

  private static func firstDay(of year: Int64) -> Int64 {
    let before = year - 1
    let leaps = floorDivide(before, 4) - floorDivide(before, 100) + floorDivide(before, 400)
    return before * 365 + leaps - 719_162
  }

  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    var year = 1970 + floorDivide(day, 366)
    while firstDay(of: year + 1) <= day { year += 1 }
    while firstDay(of: year) > day { year -= 1 }
    var rest = day - firstDay(of: year)
    var month: Int64 = 1
    while rest >= length(ofMonth: month, in: year) {
      rest -= length(ofMonth: month, in: year)
      month += 1
    }
    return (year, month, rest + 1)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}

import SyncSupport

/// Names of people, firms and towns, many with accents, and random identifiers.
enum SampleNames {
  static func contact(_ random: inout SeededRandom) -> SampleContact {
    let last = random.one(of: lastNames)
    let name =
      switch random.below(3) {
      case 0: "\(random.one(of: firstNames)) \(last)"
      case 1: "\(last) & \(random.one(of: lastNames)) \(random.one(of: forms))"
      default:
        "\(random.one(of: trades)) \(last) \(random.one(of: towns)) "
          + random.one(of: forms)
      }
    return SampleContact(
      id: identifier(&random), name: name, email: "billing\(random.below(100_000))@example.com")
  }

  /// Returns a random UUID (version 4), in lower case as Xero writes it.
  static func identifier(_ random: inout SeededRandom) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bits = (random.next(), random.next())
    var text: [UInt8] = []
    for position in 0..<36 {
      switch position {
      case 8, 13, 18, 23: text.append(UInt8(ascii: "-"))
      case 14: text.append(UInt8(ascii: "4"))
      default:
        text.append(digits[Int(bits.0 & 15)])
        bits = (bits.0 >> 4 | bits.1 << 60, bits.1 >> 4)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let firstNames = [
    "Åsa", "Bjørn", "Chloé", "Dvořák", "Élodie", "François", "Grażyna", "Håkon", "Ínigo", "Jürgen",
    "Karolína", "Łukasz", "Márta", "Noël", "Øyvind", "Pía", "Renée", "Søren", "Tünde", "Ulrike",
    "Věra", "William", "Xavier", "Yıldız", "Zoë", "Anna", "Ben", "Clara", "David", "Emma",
  ]
  private static let lastNames = [
    "Müller", "García", "Nuñez", "Lefèvre", "Ångström", "Novák", "Kowalczyk", "Szabó", "O’Brien",
    "Smith", "Jones", "Dupré", "Schröder", "Weiß", "Fernández", "Gonçalves", "Håland", "Ibáñez",
    "Jørgensen", "Kučera", "Löwe", "Mäkinen", "Ni", "Østergaard", "Péter", "Quílez", "Rousseau",
    "Sánchez", "Türk", "Ünal", "Vågen", "Wójcik", "Yilmaz", "Žižka", "Brown", "Taylor", "Wilson",
    "Moreau", "Bianchi", "Rossi", "Costa", "Silva", "Jansen", "de Vries", "Peeters", "Hansen",
  ]
  private static let trades = [
    "Bäckerei", "Café", "Garage", "Imprimerie", "Tischlerei", "Electricité", "Panadería", "Studio",
    "Atelier", "Gärtnerei", "Brewery", "Consulting", "Logistics", "Softwarehaus", "Apotheke",
  ]
  private static let towns = [
    "Zürich", "Málaga", "København", "Łódź", "Besançon", "Köln", "Göteborg", "Porto", "Dublin",
    "Tromsø", "Brno", "Győr", "Utrecht", "Bern", "Lyon", "Bristol", "Auckland", "Wellington",
  ]
  private static let forms = [
    "GmbH", "Ltd", "SA", "AB", "s.r.o.", "Sp. z o.o.", "Kft.", "BV", "AG",
  ]
}

//
// Plants and when they need water.
//

import Foundation
@testable import struct Weather.Forecast
import Soil.Layers
import func Weather.Radar.scan

/// How dry soil may get.
public let driest = 0.2
let wettest = 0.9
let seasons = 4
let months = 12
let lag: TimeInterval = 3_600

/// Where plants are written down.
public var almanac: Almanac { .shared }

typealias Watering = (Plant) async throws -> Void

@attached(member)
macro Grows(_ days: Int) = #externalMacro(module: "GardenMacros", type: "GrowsMacro")

/// Anything that grows.
public protocol Growing: AnyObject, Identifiable {
    associatedtype Season: Hashable
    var height: Double { get }

    /// Grows for some days.
    func grow(days: Int) -> Double
    init(seed: Seed)
    static func == (a: Self, b: Self) -> Bool
}

/**
 A plant in a bed.

 Plants are watered by their ``Bed``.
 */
@available(iOS 16, *)
@MainActor
public final class Plant<S: Species>: Organism<S>, Growing where S: Hardy {
    private let species: S
    static let weeds = [Plant]()
    @Published var thirst: Double = 0 {
        didSet { notify(thirst) }
    }

    /// How tall it is now.
    public var height: Double {
        get { roots.map(\.length).reduce(0, +) }
        set { grow(to: newValue) }
    }

    // Seeds know their species.
    public required init(seed: Seed) {
        species = seed.species as! S
        super.init()
    }

    @objc convenience init?(name: String) throws {
        guard let seed = Seed(named: name) else { return nil }
        self.init(seed: seed)
    }

    deinit {
        Compost.default.add(self)
    }

    /// Gives it water.
    @discardableResult
    public override func water<W: Water>(_ water: W, litres: Double = 1) async throws -> [W]
    where W: Clean {
        func absorb(_ root: Root) -> Double {
            root.absorb(litres)
        }
        let tank = Tank<W>(size: litres)
        return try await tank.pour { root in absorb(root) }
    }

    subscript(leaf index: Int) -> Leaf {
        leaves[index]
    }

    static func == (a: Plant, b: Plant) -> Bool {
        a.id == b.id
    }

    enum Mood: String, CaseIterable {
        case fine, thirsty
        case dead = "x"

        var alive: Bool { self != .dead }
    }
}

struct Bed: Codable {
    var plants: [Plant<Rose>] = []

    mutating func plant(_ plant: Plant<Rose>) { plants.append(plant) }
}

@globalActor
actor Gardener {
    @Grows(3) var skill = 1

    @inlinable
    func rest() {}
}

// Beds are compared by what grows in them.
extension Bed: Equatable where Element: Growing {
    static func < (a: Bed, b: Bed) -> Bool { a.plants.count < b.plants.count }
}

extension Garden.Tool {
    var sharp: Bool { true }
}

#if DEBUG
@Test("roses need water")
func roses() throws {
    #expect(Plant.weeds.isEmpty)
}
#endif

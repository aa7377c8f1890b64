final class GardenSpec: QuickSpec {
    override class func spec() {
        describe("a bed") {
            it("holds plants") {
                expect(Bed().plants).to(beEmpty())
            }
        }
    }
}

struct Broken {
    func half(

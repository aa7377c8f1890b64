package org.example.chat

class RoomSpec : FunSpec({
    context("a full room") {
        val room = Room.lobby()

        test("refuses the next person") {
            shouldThrow<RoomFull> { room.join(alice) }
        }
    }
})

class Broken { fun oneLine() = 1 }

fun after() = RoomSpec::class

/*
 * Rooms of a chat server.
 */
@file:JvmName("Rooms")

package org.example.chat

import kotlinx.coroutines.flow.Flow
import org.example.users.User as Person
import org.example.wire.*

const val MAX_MEMBERS = 500
const val MAX_NAME = 40
const val MAX_MESSAGE = 4_000
const val HISTORY = 100

/** Where rooms are kept while the server runs. */
private val rooms: MutableMap<RoomId, Room> by lazy { LinkedHashMap() }

typealias RoomId = String

/** Tells whether a name may be used. */
val String.isRoomName: Boolean
    get() = length in 1..MAX_NAME && all(Char::isLetterOrDigit)

/**
 * A place where people talk.
 *
 * Messages are kept in order of arrival.
 */
@Serializable
@SerialName("room")
data class Room<M : Message>(
    val id: RoomId,
    @Transient private val store: Store<M> = MemoryStore(),
) : Channel(id), Closeable by store, Comparable<Room<M>> {

    private val members = mutableSetOf<Person>()

    // Sent to everyone who joins.
    var topic: String = ""
        get() = field.ifEmpty { id }
        private set

    /** How many are here now. */
    @Synchronized
    val size: Int
        get() = members.size

    private val watcher = object : Watcher() {
        override fun left(person: Person) {
            members -= person
        }
    }

    init {
        require(id.isRoomName) { "bad name: $id" }
    }

    constructor(id: RoomId, topic: String) : this(id) {
        this.topic = topic
    }

    /** Lets someone in. */
    @Throws(RoomFull::class)
    suspend fun join(person: Person): Flow<M> {
        if (size >= MAX_MEMBERS) throw RoomFull(id)
        members.add(person)
        return store.recent(HISTORY)
    }

    override fun compareTo(other: Room<M>) = id.compareTo(other.id)

    companion object {
        private const val LOBBY = "lobby"

        /** The room that everyone sees first. */
        @JvmStatic
        fun lobby(): Room<*> = rooms.getOrPut(LOBBY) { Room(LOBBY) }
    }

    inner class Moderator(private val person: Person) {
        fun remove(other: Person): Boolean = other in members && members.remove(other)
    }
}

/** What can go wrong. */
sealed interface Problem

object Unknown : Problem

@JvmInline
value class Token(val text: String)

fun interface Filter {
    fun accepts(message: Message): Boolean
}

enum class Role(val level: Int) : Named {
    GUEST(0) {
        override fun title() = "Guest"
    },

    OWNER(9);

    open fun title(): String = name.lowercase()
}

/** Sends text to all of a list of rooms. */
@Deprecated("use broadcast", ReplaceWith("broadcast(text)"))
internal inline fun <reified M : Message> List<Room<M>>.announce(
    text: String,
    crossinline accepts: (Person) -> Boolean = { true },
): Int where M : Sendable {
    fun log(room: Room<M>) = println("announced to ${room.id}")
    return onEach { log(it) } sumOf { it.send(text as Body, accepts) }
}

@Test
fun org.example.users.User?.`may be absent`() {
    assertNull(this)
}

/** Older name of it. */
@JvmName("everyRoom")
fun all() = rooms.values

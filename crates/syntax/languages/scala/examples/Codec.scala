/*
 * Turns values into text and back.
 */
package org.example.codec

import java.time.Instant
import scala.collection.mutable
import scala.util.{Failure, Success => Good, Try}
import org.example.text._
import org.example.problems.{Problem, Warning => _, |+|, _}
import org.example.~>
import org.example.text.unicode.Block
import org.example.text.unicode.blocks.Latin
import org.example.text.unicode.blocks.latin.{Letter, Mark => Accent}
import org.example.text.unicode.blocks.latin.small.Umlaut

/** Writes values of one type.
  *
  * @tparam A what is written
  */
trait Encoder[-A] extends Serializable { self =>

  /** The text of a value. */
  def encode(value: A): Text

  // Most encoders are made from another.
  final def contramap[B](f: B => A): Encoder[B] = new Encoder[B] {
    def encode(value: B): Text = self.encode(f(value))
  }

  type Out = Text
}

object Encoder extends LowPriority with Instances.All {
  val Null = "null"
  val True = "true"
  val False = "false"
  val Quote = '"'

  /** Finds the encoder of a type. */
  def apply[A](implicit instance: Encoder[A]): Encoder[A] = instance

  implicit val encodeInt: Encoder[Int] = new Encoder[Int] {
    override def encode(value: Int): Text = Text(value.toString)
  }

  implicit def encodeList[A: Encoder]: Encoder[List[A]] = {
    Encoder.instance(values => values.map(Encoder[A].encode).mkString("[", ",", "]"))
  }

  private var count: Int = 0
}

@deprecated("use Reader", "1.2")
final case class Decoder[A <: AnyRef] private (
    read: Text => Try[A],
    limits: mutable.Map[String, Int]
)(using clock: Clock) extends Codec[A](read) with Named:

  private val cache = new Cache[A] {
    def lookup(key: String): Option[A] = None
  }

  def this(read: Text => Try[A]) = this(read, mutable.Map.empty)

  @tailrec
  private def skip(text: Text, at: Int): Int = {
    if text(at).isSpace then skip(text, at + 1) else at
  }

  def ++(other: Decoder[A]): Decoder[A] = copy(limits = limits concat other.limits)

end Decoder

enum Token(val text: String) derives Eq:
  case Open extends Token("[")
  case Close extends Token("]")
  case Comma, Colon

  /** Whether something may follow. */
  def last: Boolean = this == Close

case object Empty extends Named

type Result[A] = Either[Problem, A]

extension (text: String)
  def decode[A](using d: Decoder[A]): Try[A] = d.read(Text(text))
  def quoted: String = s"\"$text\""

extension [A](values: List[A])
  def second: Option[A] = values.drop(1).headOption

given byLength: Ordering[Text] with
  def compare(a: Text, b: Text): Int = a.size - b.size

given Encoder[Instant] = Encoder[String].contramap(_.toString)

/** The decoder that is used where none is named. */
lazy val default: Decoder[Text] = Decoder(text => Good(text))

package object legacy {
  val Version = 3
  def upgrade(text: Text): Text = Upgrade(text).run()
}

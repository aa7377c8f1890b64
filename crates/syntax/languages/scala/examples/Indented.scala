package org.example.codec

import fixtures
import fixtures as samples
import fixtures.{Small, given}
import fixtures.given
import fixtures.large.given
import org.example.text.unicode.given
import org.example.names.Name as Label
import org.example.text.*
import org.example.limits.{Depth as Deepest, given Ordering, given Bound[Int], *}
import org.example.order.given
import org.example.zones.{given}
import org.example.equal.given Eq
import org.example.equal.given Same[Text]
import org.example.lines._, org.example.tokens.Token

object Numbers:
  def parse(text: String): Option[Int] =
    val digits = text.filter(_.isDigit)
    digits.toIntOption

  // Negative numbers have a sign.
  def sign(text: String): Int =
    if text.startsWith("-") then -1 else 1

  val Zero = 0

package org.example.codec

object Numbers:
  def parse(text: String): Option[Int] =
    val digits = text.filter(_.isDigit)
    digits.toIntOption

  // Negative numbers have a sign.
  def sign(text: String): Int =
    if text.startsWith("-") then -1 else 1

  val Zero = 0

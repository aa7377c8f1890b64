package org.example.codec {

  class CodecSuite extends AnyFunSuite {
    // Numbers are their own text.
    test("numbers are written as they are") {
      assert(Encoder[Int].encode(3) == Text("3"))
    }
  }

  class DecoderSpec extends AnyFlatSpec with Matchers {
    "A decoder" should "read what was written" in {
      "[1,2]".decode[List[Int]] shouldBe Success(List(1, 2))
    }

    it should "refuse half a list" in {
      "[1,".decode[List[Int]] shouldBe a[Failure[_]]
    }

    "An empty text" when {
      "it is decoded" in {
        "".decode[Text] shouldBe empty
      }
    }
  }

  object Plain extends TestSuite {
    val tests = Tests {
      test("nesting") - {
        test("deep") {
          "[[]]".decode[Text]
        }
      }
    }
  }
}

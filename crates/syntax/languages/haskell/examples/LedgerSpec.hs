module LedgerSpec (spec) where

import Ledger
import Test.Hspec

-- | All that is known of the ledger.
spec :: Spec
spec = do
  describe "balance" $ do
    it "is zero without entries" $ do
      let account = empty
      balance account `shouldBe` 0

    it "adds credits" $ do
      let account = credited [1, 2]
      balance account `shouldBe` 3

    it "subtracts debits" $ do
      let account = debited [1, 2]
      balance account `shouldBe` -3

    it "ignores notes" $ do
      let account = noted "tea"
      balance account `shouldBe` 0

    it "takes both together" $ do
      let account = mixed 5 3
      balance account `shouldBe` 2

    it "may be negative" $ do
      let account = debited [7]
      balance account `shouldBe` -7

    it "adds many" $ do
      let account = credited [1 .. 10]
      balance account `shouldBe` 55

    it "keeps the sign" $ do
      let account = mixed 3 5
      balance account `shouldBe` -2

  describe "joined accounts" $ do
    it "add up" $ do
      let account = credited [1] |+| credited [2]
      balance account `shouldBe` 3

    it "cancel out" $ do
      let account = credited [4] |+| debited [4]
      balance account `shouldBe` 0

    it "keep the owner" $ do
      let account = empty |+| empty
      balance account `shouldBe` 0

    it "may be joined again" $ do
      let account = credited [1] |+| empty |+| empty
      balance account `shouldBe` 1

    it "are joined from the left" $ do
      let account = empty |+| credited [9]
      balance account `shouldBe` 9

    it "stay large" $ do
      let account = credited [1000] |+| empty
      balance account `shouldBe` 1000

    it "may lose their owner" $ do
      let account = anonymous (credited [2])
      balance account `shouldBe` 2

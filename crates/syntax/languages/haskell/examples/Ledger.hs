{-# LANGUAGE PatternSynonyms #-}
-- | Accounts and the bookings between them.
module Ledger
  ( Account (..)
  , balance
  , post
  ) where

import Control.Applicative ((<|>))
import Control.Monad (forM_, when)
import Data.Char as Char (isDigit)
import Data.List.NonEmpty (NonEmpty ((:|)), (!!))
import qualified Data.Map.Strict as Map
import Data.Maybe hiding (fromJust)
import Data.Text (Text)
import Ledger.Format (Format (Short, width), Style (..))
import Ledger.Instances ()

-- | What a booking is counted in.
type Cents = Int

-- | An account with its bookings.
data Account = Account
  { owner :: Text
  , entries :: [Entry]
  } deriving (Show, Eq)

data Entry = Debit Cents | Credit Cents | Note Text
  deriving Show

newtype Book a = Book (Map.Map Text a)

data Shape a where
  Circle :: Double -> Shape Double
  Square :: Int -> Shape Int

type family Key a where
  Key Account = Text

pattern Nothingness = Note ""

-- | How much an account may be overdrawn.
limit :: Cents
limit = 10000

currencies = ["EUR", "USD"]

-- | The sum of all entries.
balance :: Account -> Cents
{-# INLINE balance #-}
balance = sum . map amount . entries

-- | What an entry adds.
amount :: Entry -> Cents
amount (Debit n) = negate n
amount (Credit n) = n
amount _ = 0

post
  :: Text
  -> Entry
  -> Book Account
  -> Either Text (Book Account)
post name entry (Book book)
  | amount entry == 0 = Left "nothing to post"
  | otherwise = Right $ Book (Map.adjust add name book)
  where
    add account = account { entries = entry : entries account }

-- | Joins two accounts.
(|+|) :: Account -> Account -> Account
a |+| b = Account (owner a) (entries a ++ entries b)

unsigned x = abs x

class Eq a => Priced a where
  -- | What it costs.
  price :: a -> Cents
  price _ = 0
  discounted, full :: a -> Cents

instance Priced Entry where
  price = amount
  discounted e = price e `div` 2

instance Monoid (Book a) where
  mempty = Book Map.empty

deriving instance Show (Book Account)

foreign import ccall "math.h sin" c_sin :: Double -> Double

prop_empty = balance (Account "a" []) == 0
prop_debit = amount (Debit 1) == -1
prop_credit = amount (Credit 1) == 1
prop_note = amount Nothingness == 0

main :: IO ()
main = do
  forM_ currencies $ \c -> print c
  when (limit > 0) report

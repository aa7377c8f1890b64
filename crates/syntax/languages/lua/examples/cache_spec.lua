local Cache = require("cache")

describe("a cache", function()
  local cache

  before_each(function()
    cache = Cache.new(2)
  end)

  -- The oldest goes first.
  it("forgets the oldest value", function()
    cache:set("a", 1)
    assert.is_nil(cache:get("a"))
  end)
end)

-- Cut off while it was written.
local function broken(a, b)
  return a + + b
end

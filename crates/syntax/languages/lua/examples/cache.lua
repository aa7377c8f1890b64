#!/usr/bin/env lua
--- A cache that forgets what was not used for the longest time.
-- Values live in a table, their order in a list.

local list = require("cache.list")
local clock = require "cache.clock"
local disk, net = require("cache.disk"), require("cache.net")
local escape = require("cache.text").escape
local min, max = require("cache.math").min, require("cache.math").max
local ok, json = pcall(require, "cjson")
local fast = pcall(require, "ffi")

require("cache.log").setup({ level = "warn" })

-- How many values are kept when nobody says otherwise.
local DEFAULT_SIZE <const> = 128
local first, second = 1, 2

local unpack = table.unpack or unpack
local SECOND = 1
local MINUTE = 60 * SECOND
local HOUR = 60 * MINUTE

local Cache = {}
Cache.__index = Cache
Cache.version = "1.2"

local Bounded = setmetatable({}, { __index = Cache })
local Timed = Cache:extend()
local Shared = class("Shared", Cache)

--- Makes an empty cache.
-- @param size how many values it may hold
function Cache.new(size)
  local self = setmetatable({}, Cache)
  self.size = size or DEFAULT_SIZE
  self.values, self.order = {}, list.new()
  return self
end

-- Looks a value up and marks it as used.
function Cache:get(key)
  local entry = self.values[key]
  if not entry then return nil end
  self.order:move_to_front(entry)
  return entry.value
end

function Cache:clear() end

local function now()
  return clock.now()
end

--[[ Drops everything that is older than an age.
]]
Cache.expire = function(self, age)
  for key, entry in pairs(self.values) do
    if now() - entry.time > age then
      self.values[key] = nil
    end
  end
end

Cache["__len"] = function(self) return self.order:len() end

local describe_entry = function(entry)
  return ("%s (%d)"):format(entry.key, entry.time)
end

-- How values are written, by format.
local writers = {
  json = function(value)
    return json.encode(value)
  end,
  ["plain"] = function(value) return tostring(value) end,
}

for name, writer in pairs(writers) do
  print(name, writer(describe_entry({ key = name, time = now() })))
end

return {
  Cache = Cache,
  keys = require("cache.keys"),
  merge = require("cache.tools").merge,
  --- Opens a cache from a file.
  open = function(path)
    return dofile(path)
  end,
}

/**
 * The shop's server, in the older style of modules.
 */
'use strict'

const express = require('express')
const { join } = require('node:path')

// How many orders fit on a page.
const PAGE = 50

const OPEN = 'open'
const PAID = 'paid'
const SENT = 'sent'
const LOST = 'lost'

var first = 1,
  last = function (list) {
    return list[list.length - 1]
  }
let timer

/** Keeps the orders of one customer. */
function Basket(owner) {
  this.owner = owner
  this.clear = function () {
    this.lines = []
  }
}

// Adds one line.
Basket.prototype.add = function (line) {
  this.lines.push(line)
}

Basket.empty = owner => new Basket(owner)

exports.total = function total(lines) {
  return lines.reduce((sum, line) => sum + price(line), 0)
}

exports.limits = {
  lines: 100,
}

Basket.prototype = {
  // Says who it is for.
  describe() {
    return `for ${this.owner}`
  },
  size: function () {
    return this.lines.length
  },
}

app.get = app.fetch = function get(name) {
  return this.settings[name]
}

app[method] = function (path) {
  return this.router(path)
}

const app = express()

// One order by its number.
app.get('/orders/:id', authenticate, (req, res) => {
  res.json(find(req.params.id))
})

process.on('exit', () => clearTimeout(timer))

emitter.once(function ready() {
  timer = setTimeout(last, PAGE)
})

module.exports = function createServer(port) {
  return app.listen(port, join)
}

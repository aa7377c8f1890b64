import React, { memo, useState as useLocal } from 'react'
import * as money from './money.js'
import('./lazy.js')

export { money }
export { Price } from './price.jsx'

export const RATE = 0.19
export const currency = 'EUR'
export let shown

// Numbers without end.
function* numbers() {
  let at = 0
  while (true) yield at++
}

export const double = (x) => x * 2

export async function load(id) {
  const answer = await fetch(`/cart/${id}`)
  return answer.json()
}

/** A line of the cart. */
@tracked
export class Line extends money.Amount {
  #count = 1
  static kind = 'line'

  constructor(count) {
    super()
    this.#count = count
  }

  @cached()
  get total() {
    return this.#count * RATE
  }

  // Bound, so that it can be handed over.
  remove = () => {
    this.#count = 0
  }
}

export const Empty = class extends Line {
  isEmpty() {
    return true
  }
}

export const Row = memo(function Row({ line, onRemove }) {
  return <money.Price value={line.total} onClick={onRemove} />
})

export default function ({ lines }) {
  const [open, setOpen] = useLocal(false)
  return (
    <Panel open={open} onToggle={setOpen}>
      {lines.map((line) => (
        <Row key={line.id} line={line} />
      ))}
    </Panel>
  )
}

describe('cart', () => {
  it.each([1, 2])('adds %i lines', async (count) => {
    expect(await load(count)).toBeTruthy()
  })
})

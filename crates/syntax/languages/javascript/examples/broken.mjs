#!/usr/bin/env node
// The end of this file is missing.
import { readFile } from 'node:fs/promises'

export default async () => {
  const text = await readFile('list.txt', 'utf8')
  return text.split('\n')
}

export function parse(line) {
  const [name, ...rest] = line.split(' '
  return { name, rest

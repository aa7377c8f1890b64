// Facts of a PHP repository, by a parser of PHP and PHP's own rules of names.
//
//     node php.mjs ROOT FOLDER... > facts.jsonl
//
// php-parser is found by NODE_PATH. Classes, functions and what is behind `::`
// are known by the rules; a method or property of an object is known where the
// object is `$this`, `new`, or has a declared type, and unknown elsewhere.
import { createRequire } from "node:module";
import * as fs from "node:fs";
import * as path from "node:path";

const require = createRequire(`${process.env.NODE_PATH}/`);
const Parser = require("php-parser");
const [root, ...folders] = process.argv.slice(2);
const parser = new Parser.Engine({ parser: { extractDoc: false, suppressErrors: false, version: 804 }, ast: { withPositions: true } });
const BUILT_IN = new Set(["int", "string", "bool", "float", "array", "iterable", "mixed", "void", "never", "null", "false", "true", "callable", "object"]);

const out = [];
const emit = (fact) => out.push(JSON.stringify(fact));
const types = new Map(); // full name in lower case -> class
const functions = new Map();

function listed(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? listed(name) : entry.name.endsWith(".php") ? [name] : [];
  });
}

// --- Names ---

function resolve(scope, node, what = "class") {
  if (!node) return undefined;
  if (node.kind === "selfreference" || node.kind === "staticreference") return scope.type?.full;
  if (node.kind === "parentreference") return scope.type?.parents[0];
  if (node.kind !== "name") return undefined;
  const text = node.name;
  const lower = text.toLowerCase();
  if (lower === "self" || lower === "static") return scope.type?.full;
  if (lower === "parent") return scope.type?.parents[0];
  if (BUILT_IN.has(lower)) return undefined;
  if (text.startsWith("\\")) return text.slice(1);
  const [first, ...rest] = text.split("\\");
  const used = scope.uses.get(first.toLowerCase());
  if (used && (what === "class" || rest.length)) return [used, ...rest].join("\\");
  return scope.namespace ? `${scope.namespace}\\${text}` : text;
}

const get = (name) => (name ? types.get(name.toLowerCase()) : undefined);

// A member of a class, or of what it takes or inherits from.
function member(name, key, seen = new Set()) {
  const type = get(name);
  if (!type || seen.has(type)) return undefined;
  seen.add(type);
  if (type.members.has(key)) return type.members.get(key);
  for (const above of [...type.traits, ...type.parents]) {
    const found = member(above, key, seen);
    if (found) return found;
  }
  return undefined;
}

// --- Definitions ---

function at(file, node, name) {
  const row = file.rows[node.loc.start.line - 1] ?? "";
  let column = node.loc.start.column;
  if (!row.startsWith(name, column)) {
    const found = row.slice(column).search(new RegExp(`(?<![\\w])${name}(?![\\w])`));
    if (found < 0) return undefined;
    column += found;
  }
  return { path: file.path, line: node.loc.start.line, column: column + 1 };
}

function define(file, node, nameNode, kind, owner, end) {
  const name = typeof nameNode === "string" ? nameNode : nameNode.name;
  const place = at(file, typeof nameNode === "string" ? node : nameNode, name);
  if (!place) return undefined;
  const id = `${place.path}:${place.line}:${place.column}`;
  emit({ t: "def", id, kind, name, ...(owner ? { owner } : {}), ...place, end: (end ?? node).loc.end.line });
  return id;
}

function declare(file, scope, node) {
  const name = node.name?.name ?? node.name;
  if (!name) return;
  const full = scope.namespace ? `${scope.namespace}\\${name}` : name;
  const type = { full, members: new Map(), parents: [], traits: [], node, file };
  type.id = define(file, node, node.name, "type");
  types.set(full.toLowerCase(), type);
  for (const part of node.body ?? []) {
    if (part.kind === "method") {
      const id = define(file, part, part.name, "method", name);
      type.members.set(`${part.name.name.toLowerCase()}()`, { id, node: part, scope, type });
      for (const one of part.arguments) {
        if (one.flags) property(file, type, name, one, one, scope);
      }
    } else if (part.kind === "propertystatement") {
      for (const one of part.properties) property(file, type, name, one, part, scope);
    } else if (part.kind === "classconstant") {
      for (const one of part.constants) type.members.set(one.name.name, { id: define(file, one, one.name, "constant", name) });
    } else if (part.kind === "enumcase") {
      type.members.set(part.name.name ?? part.name, { id: define(file, part, part.name, "variant", name) });
    }
  }
}

function property(file, type, owner, one, _statement, scope) {
  const name = one.name.name ?? one.name;
  type.members.set(`$${name}`, { id: define(file, one, name, "field", owner), node: one, scope, type });
}

function scopeOf(file, namespace) {
  return { file, namespace, uses: new Map(), functionUses: new Map() };
}

function top(file, children, scope, each) {
  for (const node of children) {
    if (node.kind === "namespace") top(file, node.children, scopeOf(file, node.name), each);
    else each(node, scope);
  }
}

function collect(file) {
  file.scopes = new Map();
  top(file, file.tree.children, scopeOf(file, ""), (node, scope) => {
    file.scopes.set(node, scope);
    if (node.kind === "usegroup") uses(node, scope);
    if (["class", "interface", "trait", "enum"].includes(node.kind)) declare(file, scope, node);
    if (node.kind === "function") {
      const full = scope.namespace ? `${scope.namespace}\\${node.name.name}` : node.name.name;
      functions.set(full.toLowerCase(), { id: define(file, node, node.name, "function"), node, scope });
    }
  });
}

function uses(node, scope) {
  for (const item of node.items) {
    const full = (node.name ? `${node.name}\\` : "") + item.name.replace(/^\\/, "");
    const short = item.alias?.name ?? full.split("\\").pop();
    const kind = item.type ?? node.type;
    if (kind === "function") scope.functionUses.set(short.toLowerCase(), full);
    else if (kind !== "const") scope.uses.set(short.toLowerCase(), full);
  }
}

function link(type, scope) {
  const own = { ...scope, type };
  const node = type.node;
  const above = [node.extends, node.implements].flat().filter(Boolean);
  type.parents = above.map((name) => resolve(own, name)).filter(Boolean);
  for (const part of node.body ?? []) {
    if (part.kind === "traituse") type.traits.push(...part.traits.map((name) => resolve(own, name)));
  }
}

function families() {
  for (const type of types.values()) {
    for (const [key, one] of type.members) {
      for (const name of [...type.parents, ...type.traits]) {
        const other = member(name, key);
        if (one.id && other?.id) emit({ t: "same", ids: [one.id, other.id] });
      }
    }
  }
}

// --- Uses ---

function typeName(scope, node) {
  if (!node || node.kind === "uniontype" || node.kind === "intersectiontype") return undefined;
  return resolve(scope, node);
}

// The class of an expression, where a declaration says it.
function typeOf(scope, node) {
  if (!node) return undefined;
  switch (node.kind) {
    case "variable":
      return node.name === "this" ? scope.type?.full : scope.variables?.get(node.name);
    case "new":
      return resolve(scope, node.what);
    case "parenthesis":
      return typeOf(scope, node.inner);
    case "clone":
      return typeOf(scope, node.what);
    case "call":
      return returned(scope, node);
    case "propertylookup":
    case "nullsafepropertylookup": {
      const found = lookup(scope, node, false);
      return found?.node?.type ? typeName({ ...found.scope, type: found.type }, found.node.type) : undefined;
    }
    default:
      return undefined;
  }
}

function returned(scope, call) {
  if (!["propertylookup", "nullsafepropertylookup", "staticlookup"].includes(call.what.kind)) return undefined;
  const found = lookup(scope, call.what, true);
  if (!found?.node?.type) return undefined;
  const type = found.node.type;
  const isOwn = type.kind === "staticreference" || type.name?.toLowerCase?.() === "static" || type.raw === "static";
  if (isOwn) return call.what.kind === "staticlookup" ? resolve(scope, call.what.what) : typeOf(scope, call.what.what);
  return typeName({ ...found.scope, type: found.type }, type);
}

function lookup(scope, node, called) {
  const name = node.offset?.name;
  if (typeof name !== "string") return undefined;
  const isStatic = node.kind === "staticlookup";
  const of = isStatic ? resolve(scope, node.what) : typeOf(scope, node.what);
  const isVariable = node.offset.kind === "variable";
  const key = called ? `${name.toLowerCase()}()` : isStatic && !isVariable ? name : `$${name}`;
  return member(of, key);
}

function refer(file, node, name, id, role) {
  const place = at(file, node, name);
  if (place && id) emit({ t: "ref", to: id, ...place, role });
}

function unknown(file, node, name) {
  const place = at(file, node, name);
  if (place) emit({ t: "unknown", name, path: place.path, line: place.line });
}

function className(file, scope, node, role) {
  const type = get(resolve(scope, node));
  if (node?.kind === "name" && type) refer(file, node, node.name.split("\\").pop(), type.id, role);
}

function variables(scope, node) {
  const found = new Map();
  const unsure = new Set();
  for (const one of node.arguments ?? []) {
    const type = one.variadic ? undefined : typeName(scope, one.type);
    if (type) found.set(one.name.name, type);
  }
  const own = { ...scope, variables: found };
  walkOver(node.body, (part) => {
    const left = part.kind === "assign" ? part.left : part.kind === "foreach" ? part.value : undefined;
    if (left?.kind !== "variable") return;
    const type = part.kind === "assign" && part.operator === "=" ? typeOf(own, part.right) : undefined;
    if (!type || (found.has(left.name) && found.get(left.name) !== type)) unsure.add(left.name);
    else found.set(left.name, type);
  });
  for (const name of unsure) found.delete(name);
  return found;
}

function walkOver(node, each) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((one) => walkOver(one, each));
  if (node.kind) each(node);
  for (const [key, value] of Object.entries(node)) {
    if (key !== "loc" && key !== "leadingComments" && key !== "trailingComments") walkOver(value, each);
  }
}

const NAMED = { new: ["what", "call"], staticlookup: ["what", "read"], class: ["extends", "inherit"], attribute: ["name", "call"] };

function visit(file, scope, node, parent) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((one) => visit(file, scope, one, parent));
  let inner = scope;
  if (["class", "interface", "trait", "enum"].includes(node.kind)) {
    const name = node.name?.name;
    const type = name && get(scope.namespace ? `${scope.namespace}\\${name}` : name);
    inner = { ...scope, type };
    for (const one of [node.extends, node.implements].flat().filter(Boolean)) className(file, inner, one, "inherit");
  }
  if (["method", "function", "closure", "arrowfunc"].includes(node.kind)) {
    const own = variables(inner, node);
    const kept = node.kind === "closure" || node.kind === "arrowfunc" ? new Map([...(scope.variables ?? []), ...own]) : own;
    inner = { ...inner, variables: kept };
  }
  use(file, inner, node, parent);
  for (const [key, value] of Object.entries(node)) {
    if (["loc", "leadingComments", "trailingComments", "extends", "implements"].includes(key)) continue;
    visit(file, inner, value, { node, key });
  }
}

function use(file, scope, node, parent) {
  if (node.kind === "name" && !["usegroup", "namespace"].includes(parent?.node?.kind)) {
    const above = parent?.node;
    if (above?.kind === "call" && parent.key === "what") return callFunction(file, scope, node);
    const role = above?.kind === "new" ? "call" : ["parameter", "method", "property", "function", "closure", "arrowfunc"].includes(above?.kind) ? "type" : "read";
    className(file, scope, node, role);
  }
  if (node.kind === "attribute") {
    className(file, scope, { kind: "name", name: node.name, loc: node.loc }, "call");
  }
  if (["propertylookup", "nullsafepropertylookup", "staticlookup"].includes(node.kind) && typeof node.offset?.name === "string") {
    const called = parent?.node?.kind === "call" && parent.key === "what";
    const found = lookup(scope, node, called);
    const name = node.offset.name;
    if (found?.id) refer(file, node.offset, name, found.id, called ? "call" : "read");
    else if (name !== "class") unknown(file, node.offset, name);
  }
}

function callFunction(file, scope, node) {
  const name = node.name.replace(/^\\/, "");
  const used = scope.functionUses.get(name.toLowerCase());
  const found = functions.get((used ?? resolve(scope, node, "function") ?? "").toLowerCase()) ?? functions.get(name.toLowerCase());
  if (found) refer(file, node, name.split("\\").pop(), found.id, "call");
}

function imports(file, node, scope) {
  for (const item of node.items) {
    const full = (node.name ? `${node.name}\\` : "") + item.name.replace(/^\\/, "");
    const found = get(full) ?? functions.get(full.toLowerCase());
    const to = found ? [found.file?.path ?? found.scope.file.path] : [];
    emit({ t: "import", path: file.path, line: item.loc.start.line, to });
    const name = full.split("\\").pop();
    if (found) refer(file, item, name, found.id, "import");
  }
}

const files = [];
for (const name of folders.flatMap((folder) => listed(path.join(root, folder))).sort()) {
  const text = fs.readFileSync(name, "utf8");
  const short = path.relative(root, name);
  try {
    files.push({ path: short, rows: text.split("\n"), tree: parser.parseCode(text, short) });
  } catch (error) {
    console.error(`${short}: ${error.message}`);
  }
}
for (const file of files) {
  emit({ t: "file", path: file.path });
  collect(file);
}
for (const type of types.values()) link(type, type.file.scopes.get(type.node));
families();
for (const file of files) {
  for (const [node, scope] of file.scopes) {
    if (node.kind === "usegroup") imports(file, node, scope);
    else visit(file, scope, node, undefined);
  }
}
process.stdout.write(out.join("\n") + "\n");

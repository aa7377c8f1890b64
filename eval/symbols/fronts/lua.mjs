// Facts of a Lua repository, by a parser of Lua and Lua's rules of scope.
//
//     node lua.mjs ROOT FOLDER... > facts.jsonl
//
// luaparse is found by NODE_PATH. A module is a table that its file returns;
// what is taken from it by `local m = require "a.b"` is known, also through
// `local f = m.f`. A method of an object, `x:f()`, is known where `x` is a module
// or `self` of one; all else with a dot or a colon is unknown.
import { createRequire } from "node:module";
import * as fs from "node:fs";
import * as path from "node:path";

const require = createRequire(`${process.env.NODE_PATH}/`);
const luaparse = require("luaparse");
const [root, ...folders] = process.argv.slice(2);
const out = [];
const emit = (fact) => out.push(JSON.stringify(fact));
const modules = new Map(); // path -> { members, name }

function listed(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? listed(name) : entry.name.endsWith(".lua") ? [name] : [];
  });
}

const where = (file, node) => ({ path: file.path, line: node.loc.start.line, column: node.loc.start.column + 1 });
const idOf = (file, node) => `${file.path}:${node.loc.start.line}:${node.loc.start.column + 1}`;

function required(node) {
  const isCall = node && ["CallExpression", "StringCallExpression"].includes(node.type) && node.base.type === "Identifier" && node.base.name === "require";
  if (!isCall) return undefined;
  const argument = node.type === "StringCallExpression" ? node.argument : node.arguments[0];
  if (argument?.type !== "StringLiteral") return null;
  return argument.value ?? argument.raw.slice(1, -1);
}

function fileOf(module) {
  const stem = module.replaceAll(".", "/");
  return [`${stem}.lua`, `${stem}/init.lua`].find((name) => modules.has(name));
}

// The name of the table that a file returns, where it is a local of it.
function returned(tree) {
  const last = tree.body.at(-1);
  const value = last?.type === "ReturnStatement" ? last.arguments[0] : undefined;
  if (value?.type === "Identifier") return value.name;
  const isMeta = value?.type === "CallExpression" && value.base.name === "setmetatable" && value.arguments[0]?.type === "Identifier";
  return isMeta ? value.arguments[0].name : undefined;
}

function define(file, node, name, kind, whole, local, owner) {
  const id = idOf(file, node);
  emit({ t: "def", id, kind, name, ...(owner ? { owner } : {}), ...where(file, node), end: whole.loc.end.line, ...(local ? { local: true } : {}) });
  return id;
}

// --- Definitions ---

function collect(file) {
  const table = returned(file.tree);
  const module = { members: new Map(), table };
  modules.set(file.path, module);
  file.defined = new Set();
  walk(file.tree, (node) => {
    if (node.type === "FunctionDeclaration" && node.identifier?.type === "MemberExpression") member(file, module, node.identifier, node, "method");
    if (node.type === "AssignmentStatement") {
      node.variables.forEach((left, at) => {
        const kind = node.init[at]?.type === "FunctionDeclaration" ? "method" : "field";
        if (left.type === "MemberExpression" && left.base.name === table && (kind === "method" || node.loc.start.column === 0)) member(file, module, left, node.init[at] ?? node, kind);
      });
    }
    if (node.type === "LocalStatement") {
      node.variables.forEach((left, at) => {
        const made = node.init[at];
        if (left.name !== table || made?.type !== "TableConstructorExpression") return;
        for (const field of made.fields) {
          if (field.type === "TableKeyString") member(file, module, { base: left, identifier: field.key }, field.value, field.value.type === "FunctionDeclaration" ? "method" : "field");
        }
      });
    }
  });
}

function member(file, module, left, whole, kind) {
  const name = left.identifier.name;
  const owner = left.base.type === "Identifier" ? left.base.name : left.base.identifier?.name;
  const isOwn = owner === module.table && left.base.type === "Identifier";
  if (isOwn && module.members.has(name)) return void file.defined.add(left.identifier);
  const id = define(file, left.identifier, name, kind, whole, false, owner);
  file.defined.add(left.identifier);
  if (isOwn) module.members.set(name, id);
}

function walk(node, each) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((one) => walk(one, each));
  if (node.type) each(node);
  for (const [key, value] of Object.entries(node)) if (key !== "loc") walk(value, each);
}

// --- Uses ---

class Scopes {
  constructor(file) {
    this.file = file;
    this.all = [new Map()];
  }

  find(name) {
    return this.all.findLast((scope) => scope.has(name))?.get(name);
  }

  add(node, meaning) {
    this.all.at(-1).set(node.name, meaning);
  }
}

// What a value is: a module, a definition, or unknown.
function meaning(scopes, node) {
  const module = required(node);
  if (module) return { module: fileOf(module) };
  if (node?.type === "Identifier") return scopes.find(node.name);
  if (node?.type === "MemberExpression") {
    const of = meaning(scopes, node.base);
    const id = of?.module && modules.get(of.module)?.members.get(node.identifier.name);
    return id ? { id } : undefined;
  }
  return undefined;
}

function refer(file, node, id, role) {
  if (id) emit({ t: "ref", to: id, ...where(file, node), role });
}

function visit(scopes, node, role = "read") {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((one) => visit(scopes, one));
  const file = scopes.file;
  switch (node.type) {
    case "Identifier": {
      const found = scopes.find(node.name);
      if (found?.own && found.own !== idOf(file, node)) refer(file, node, found.own, role);
      else if (!found) emit({ t: "unknown", name: node.name, path: file.path, line: node.loc.start.line });
      return;
    }
    case "MemberExpression": {
      visit(scopes, node.base);
      const of = meaning(scopes, node.base);
      const isSelf = node.base.name === "self" && scopes.self;
      const id = modules.get(isSelf ? file.path : of?.module)?.members.get(node.identifier.name);
      if (file.defined.has(node.identifier)) return;
      if (id) refer(file, node.identifier, id, role);
      else emit({ t: "unknown", name: node.identifier.name, path: file.path, line: node.identifier.loc.start.line });
      return;
    }
    case "CallExpression":
      visit(scopes, node.base, "call");
      visit(scopes, node.arguments);
      return;
    case "StringCallExpression":
    case "TableCallExpression":
      visit(scopes, node.base, "call");
      visit(scopes, node.argument ?? node.arguments);
      return;
    case "TableKeyString":
      if (!file.defined.has(node.key)) emit({ t: "unknown", name: node.key.name, path: file.path, line: node.key.loc.start.line });
      visit(scopes, node.value);
      return;
    case "LocalStatement":
      visit(scopes, node.init);
      node.variables.forEach((one, at) => local(scopes, one, node.init[at], node));
      return;
    case "FunctionDeclaration":
      return callable(scopes, node);
    case "ForNumericStatement":
    case "ForGenericStatement":
      visit(scopes, node.iterators ?? [node.start, node.end, node.step]);
      return block(scopes, node.body, node.variables ?? [node.variable]);
    case "AssignmentStatement":
      visit(scopes, node.init);
      node.variables.forEach((one) => visit(scopes, one, "write"));
      return;
  }
  for (const [key, value] of Object.entries(node)) {
    if (key === "loc" || key === "type") continue;
    if (key === "body") block(scopes, value, []);
    else visit(scopes, value);
  }
}

function local(scopes, one, value, statement) {
  const file = scopes.file;
  const found = value ? meaning(scopes, value) : undefined;
  const isTop = scopes.all.length === 2;
  const isFunction = value?.type === "FunctionDeclaration";
  const isTable = one.name === modules.get(file.path).table;
  const kind = isFunction ? "function" : "constant";
  // Another name for a module or for a function of one is no definition.
  const isAlias = !value || required(value) !== undefined || ["Identifier", "MemberExpression"].includes(value.type);
  const own = define(file, one, one.name, kind, isFunction ? value : statement, !isTop || isAlias || isTable);
  scopes.add(one, { own, module: isTable ? file.path : found?.module, id: found?.id });
}

function callable(scopes, node) {
  const name = node.identifier;
  const file = scopes.file;
  if (name?.type === "Identifier" && node.isLocal) {
    const own = define(file, name, name.name, "function", node, scopes.all.length !== 2);
    scopes.add(name, { own });
  } else if (name?.type === "Identifier") {
    const known = scopes.find(name.name);
    if (known?.own) refer(file, name, known.own, "write");
    else define(file, name, name.name, "function", node, false);
  } else if (name) visit(scopes, name.base);
  const before = scopes.self;
  if (name?.type === "MemberExpression") scopes.self = name.indexer === ":" && name.base.name === modules.get(file.path).table;
  block(scopes, node.body, node.parameters.filter((one) => one.type === "Identifier"));
  scopes.self = before;
}

function block(scopes, body, names) {
  scopes.all.push(new Map());
  for (const one of names) {
    define(scopes.file, one, one.name, "local", one, true);
    scopes.add(one, { own: idOf(scopes.file, one) });
  }
  if (scopes.self) scopes.all.at(-1).set("self", {});
  for (const one of body) visit(scopes, one);
  scopes.all.pop();
}

const files = [];
for (const name of folders.flatMap((folder) => listed(path.join(root, folder))).sort()) {
  const short = path.relative(root, name);
  try {
    files.push({ path: short, tree: luaparse.parse(fs.readFileSync(name, "latin1"), { luaVersion: "LuaJIT", locations: true, comments: false, encodingMode: "pseudo-latin1" }) });
  } catch (error) {
    console.error(`${short}: ${error.message}`);
  }
}
for (const file of files) {
  emit({ t: "file", path: file.path });
  collect(file);
}
for (const file of files) {
  const scopes = new Scopes(file);
  block(scopes, file.tree.body, []);
  walk(file.tree, (node) => {
    const module = required(node);
    if (module === undefined) return;
    const to = module && fileOf(module);
    emit({ t: "import", path: file.path, line: node.loc.start.line, to: to ? [to] : [], ...(module === null ? { unknown: true } : {}) });
  });
}
process.stdout.write(out.join("\n") + "\n");

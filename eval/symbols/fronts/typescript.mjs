// Facts of a TypeScript or JavaScript repository, by TypeScript's own checker.
//
//     node typescript.mjs ROOT TSCONFIG|- FOLDER... > facts.jsonl
//
// TypeScript is found by NODE_PATH. What has the type `any` is unknown.
import { createRequire } from "node:module";
import * as fs from "node:fs";
import * as path from "node:path";

const require = createRequire(`${process.env.NODE_PATH}/`);
const ts = require("typescript");
const [root, config, ...folders] = process.argv.slice(2);

const rows = [];
const emit = (fact) => rows.push(JSON.stringify(fact));

function listed(folder) {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") found.push(...listed(name));
    else if (/\.(ts|tsx|js|jsx|mjs|cjs)$/.test(entry.name) && !entry.name.endsWith(".min.js")) found.push(name);
  }
  return found;
}

const files = folders.flatMap((folder) => listed(path.join(root, folder))).sort();
const modern = { target: "esnext", module: "esnext", moduleResolution: "bundler", allowImportingTsExtensions: true };
const base = config === "-" ? modern : ts.parseConfigFileTextToJson(config, fs.readFileSync(path.join(root, config), "utf8")).config.compilerOptions;
const converted = ts.convertCompilerOptionsFromJson(base, root).options;
const options = { ...converted, allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true, maxNodeModuleJsDepth: 0, types: [] };
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();
const wanted = new Set(files.map((f) => path.resolve(f)));
const short = (file) => path.relative(path.resolve(root), path.resolve(file.fileName));

function where(node) {
  const file = node.getSourceFile();
  const at = file.getLineAndCharacterOfPosition(node.getStart());
  return { path: short(file), line: at.line + 1, column: at.character + 1 };
}

function isLocal(node) {
  for (let up = node.parent; up; up = up.parent) {
    if (ts.isFunctionLike(up)) return true;
    if (ts.isClassLike(up) && !ts.isClassDeclaration(up)) return true;
  }
  return false;
}

function ownerOf(node) {
  for (let up = node.parent; up; up = up.parent) {
    if ((ts.isClassLike(up) || ts.isInterfaceDeclaration(up) || ts.isEnumDeclaration(up) || ts.isTypeAliasDeclaration(up)) && up.name) return up.name.text;
  }
  return undefined;
}

function kindOf(node) {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return "method";
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) return "type";
  if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node) || ts.isAccessor(node)) return "field";
  if (ts.isEnumMember(node)) return "variant";
  if (ts.isParameter(node)) return ts.isParameterPropertyDeclaration(node, node.parent) ? "field" : "local";
  if (ts.isVariableDeclaration(node)) {
    const made = node.initializer;
    return made && (ts.isArrowFunction(made) || ts.isFunctionExpression(made)) ? "function" : "constant";
  }
  return "local";
}

const ids = new Map();
function idOf(declaration) {
  const name = ts.getNameOfDeclaration(declaration);
  if (!name || !wanted.has(path.resolve(declaration.getSourceFile().fileName))) return undefined;
  if (!ts.isIdentifier(name) && !ts.isPrivateIdentifier(name)) return undefined;
  const key = `${short(declaration.getSourceFile())}:${name.getStart()}`;
  if (!ids.has(key)) {
    ids.set(key, key);
    define(key, declaration, name);
  }
  return key;
}

function define(id, declaration, name) {
  const kind = kindOf(declaration);
  let local = kind === "local";
  if (kind === "constant" || kind === "function" || kind === "type") local = isLocal(declaration);
  // Members of a literal or of a type without a name have no owner to ask by.
  if (kind === "method" || kind === "field") local = ts.isObjectLiteralExpression(declaration.parent) || isLocal(declaration.parent) || ownerOf(name.parent) === undefined;
  if (ts.isTypeLiteralNode(declaration.parent) && !ts.isTypeAliasDeclaration(declaration.parent.parent)) local = true;
  const owner = kind === "method" || kind === "field" || kind === "variant" ? ownerOf(declaration) : undefined;
  const end = declaration.getSourceFile().getLineAndCharacterOfPosition(declaration.getEnd()).line + 1;
  const bodiless = (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) && !declaration.body && hasBody(declaration);
  const fact = { t: "def", id, kind, name: name.text.replace(/^#/, ""), owner, ...where(name), end };
  if (local) fact.local = true;
  if (bodiless) fact.extra = true;
  emit(fact);
}

// Whether another declaration of an overloaded function has the body.
function hasBody(declaration) {
  const symbol = checker.getSymbolAtLocation(declaration.name);
  return (symbol?.declarations ?? []).some((d) => d.body);
}

function roleOf(node) {
  let use = node;
  if (ts.isPropertyAccessExpression(use.parent) && use.parent.name === use) use = use.parent;
  if (ts.isCallExpression(use.parent) && use.parent.expression === use) return "call";
  if (ts.isNewExpression(use.parent) && use.parent.expression === use) return "call";
  for (let up = node.parent; up && !ts.isStatement(up); up = up.parent) {
    if (ts.isHeritageClause(up)) return "inherit";
    if (ts.isTypeNode(up)) return "type";
  }
  if (ts.isImportSpecifier(node.parent) || ts.isImportClause(node.parent) || ts.isExportSpecifier(node.parent) || ts.isNamespaceImport(node.parent)) return "import";
  if (ts.isBinaryExpression(use.parent) && use.parent.left === use && use.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) return "write";
  return "read";
}

function resolved(node) {
  let symbol = checker.getSymbolAtLocation(node);
  if (node.parent && ts.isShorthandPropertyAssignment(node.parent)) symbol = checker.getShorthandAssignmentValueSymbol(node.parent);
  if (node.parent && ts.isExportSpecifier(node.parent)) symbol = checker.getExportSpecifierLocalTargetSymbol(node.parent) ?? symbol;
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) {
    symbol = checker.getAliasedSymbol(symbol);
    if (symbol.escapedName === "unknown" && !symbol.declarations) return undefined;
  }
  return symbol;
}

function targets(symbol) {
  return [...new Set((symbol?.declarations ?? []).map(idOf).filter((id) => id !== undefined))];
}

function isDeclarationName(node) {
  const up = node.parent;
  if (ts.isImportSpecifier(up) || ts.isImportClause(up) || ts.isExportSpecifier(up) || ts.isNamespaceImport(up)) return false;
  return ts.getNameOfDeclaration(up) === node && !ts.isShorthandPropertyAssignment(up) && !ts.isBinaryExpression(up) && !ts.isPropertyAccessExpression(up) && !ts.isCallExpression(up);
}

function emitAll(kind, symbol, node, role) {
  for (const to of targets(symbol)) emit({ t: kind, to, ...where(node), ...(kind === "ref" ? { role } : {}) });
}

// A name in a literal or a pattern may stand for a member of another type.
function softly(node) {
  const up = node.parent;
  if ((ts.isPropertyAssignment(up) || ts.isShorthandPropertyAssignment(up) || ts.isMethodDeclaration(up)) && up.name === node && ts.isObjectLiteralExpression(up.parent)) {
    const type = checker.getContextualType(up.parent);
    emitAll("soft", type?.getProperty(node.text), node);
  }
  if (ts.isBindingElement(up) && ts.isObjectBindingPattern(up.parent) && (up.propertyName ?? up.name) === node) {
    emitAll("soft", checker.getTypeAtLocation(up.parent)?.getProperty(node.text), node);
  }
}

function visitName(node, inDoc) {
  softly(node);
  if (inDoc) return emitAll("soft", resolved(node), node);
  if (isDeclarationName(node)) return void idOf(node.parent);
  const symbol = resolved(node);
  const name = node.text.replace(/^#/, "");
  if (!symbol) return emit({ t: "unknown", name, ...where(node) });
  emitAll("ref", symbol, node, roleOf(node));
}

function visit(node, inDoc) {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) visitName(node, inDoc);
  for (const doc of node.jsDoc ?? []) visit(doc, true);
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) families(node);
  ts.forEachChild(node, (child) => visit(child, inDoc));
}

function families(node) {
  const type = checker.getTypeAtLocation(node);
  const bases = [...(ts.isClassLike(node) ? (ts.getEffectiveImplementsTypeNodes(node) ?? []) : []), ...(ts.getAllSuperTypeNodes?.(node) ?? [])];
  for (const base of bases) {
    const above = checker.getTypeAtLocation(base);
    for (const property of type.getProperties()) {
      const other = above.getProperty(property.name);
      if (other && other !== property) {
        const all = [...targets(property), ...targets(other)];
        if (all.length > 1) emit({ t: "same", ids: all });
      }
    }
  }
}

function imports(file) {
  for (const literal of file.imports ?? []) {
    // Types in comments are no imports.
    if (!literal.parent || literal.pos < 0) continue;
    let doc = false;
    for (let up = literal.parent; up; up = up.parent) doc ||= ts.isJSDoc(up);
    if (doc) continue;
    const found = ts.resolveModuleName(literal.text, file.fileName, options, ts.sys).resolvedModule;
    const to = found && wanted.has(path.resolve(found.resolvedFileName)) ? [path.relative(path.resolve(root), path.resolve(found.resolvedFileName))] : [];
    const unknown = !found && literal.text.startsWith(".");
    const line = file.getLineAndCharacterOfPosition(literal.getStart()).line + 1;
    emit({ t: "import", path: short(file), line, module: literal.text, to, ...(unknown ? { unknown } : {}) });
  }
}

for (const file of program.getSourceFiles()) {
  if (!wanted.has(path.resolve(file.fileName))) continue;
  emit({ t: "file", path: short(file) });
  visit(file, false);
  imports(file);
}
process.stdout.write(rows.join("\n") + "\n");

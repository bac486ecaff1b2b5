import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProgram,
  isPropertySignature,
  ModuleKind,
  ScriptTarget,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type Symbol as TypeScriptSymbol,
} from 'typescript';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const DIST = 'dist';

/** The declarations of an entry, with the chunks that it imports. */
function declarationsOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(join(DIST, file), 'utf8');
  const imported = [...text.matchAll(/from "\.\/([^"]+)\.js"/g)].map(([, name]) => `${name}.d.ts`);
  return text + imported.map((name) => declarationsOf(name, seen)).join('');
}

it.each(
  ['index', 'pino', 'winston', 'loglayer', 'console', 'ingest-handler', 'next'].map(
    (entry) => `${entry}.d.ts`,
  ),
)('%s exposes no internal types of the delivery core', (file) => {
  expect(readdirSync(DIST)).toContain(file);
  const regions = [...declarationsOf(file).matchAll(/^\/\/#region (\S+)/gm)].map(([, name]) => name);
  const published =
    /\/(options|hec-options|ingester|spool-options|ingest-event|tags|process-signals|encoded-batch|event-transport-options|delivery-stream|trace-fields|redact-options)\.d\.ts$/;
  const internal = regions.filter(
    (name) => /src\/ingest\/|transports\/kit\//.test(name!) && !published.test(name!),
  );
  expect(internal.filter((name) => !name!.includes('/report/'))).toEqual([]);
  expect(declarationsOf(file)).not.toMatch(
    /IngestPipeline|LineStream|Backpressure|DeliveryEmitter|LineDelivery|EventDelivery/,
  );
});

type Target = { readonly types: string; readonly default: string };

/** The entries of the package that load without an optional package, with their declarations. */
const ENTRIES: readonly (readonly [name: string, file: string, types: string])[] = Object.entries(
  manifest.exports,
).flatMap(([name, target]) => {
  const { import: esm, require: cjs } = target as { readonly import?: Target; readonly require?: Target };
  if (/next|testing|auto/.test(name)) return [];
  return [esm, cjs].flatMap((file) => (file?.types ? [[name, file.default, file.types] as const] : []));
});

it('declares as values only what the modules export', async () => {
  const program = createProgram(
    ENTRIES.map(([, , types]) => resolve(types)),
    { module: ModuleKind.NodeNext, skipLibCheck: true, types: [] },
  );
  const checker = program.getTypeChecker();
  const valuesOf = (types: string): string[] => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(resolve(types))!)!;
    const isValue = (symbol: TypeScriptSymbol): boolean => {
      const { flags } = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return (flags & SymbolFlags.Value) !== 0;
    };
    return checker
      .getExportsOfModule(module)
      .filter(isValue)
      .map(({ name }) => name);
  };
  expect(ENTRIES.length).toBeGreaterThan(20);
  for (const [name, file, types] of ENTRIES) {
    const exported: object = await import(pathToFileURL(resolve(file)).href);
    const values = valuesOf(types);
    expect(
      values.filter((value) => !(value in exported)),
      name,
    ).toEqual([]);
  }
});

/** A caller passes an input, and gets an output. Parameters turn one into the other. */
type Direction = 'input' | 'output';

/** The optional members of all types that callers pass and don't get, such as options, and whether each accepts `undefined`. */
function optionalInputs(): ReadonlyMap<string, boolean> {
  const files = Object.values(manifest.exports).flatMap((target) => {
    const { import: esm } = target as { readonly import?: Target };
    return esm?.types ? [resolve(esm.types)] : [];
  });
  const program = createProgram(files, {
    ...{ module: ModuleKind.NodeNext, target: ScriptTarget.ES2023, types: ['node'], skipLibCheck: true },
    ...{ strict: true, exactOptionalPropertyTypes: true },
  });
  const checker = program.getTypeChecker();
  const seen = { input: new Set<Type>(), output: new Set<Type>() };
  const members = { input: new Map<string, boolean>(), output: new Map<string, boolean>() };
  for (const file of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & SymbolFlags.Alias) !== 0;
      visit(checker.getTypeOfSymbol(isAlias ? checker.getAliasedSymbol(exported) : exported), 'output');
    }
  }
  return new Map([...members.input].filter(([name]) => !members.output.has(name)));

  function visit(type: Type, direction: Direction): void {
    if (seen[direction].has(type)) return;
    seen[direction].add(type);
    const isObject = (type.flags & TypeFlags.Object) !== 0;
    const parts = type.isUnionOrIntersection() ? type.types : [checker.getBaseConstraintOfType(type) ?? type];
    const items = checker.getIndexInfosOfType(type).map((index) => index.type);
    const given = isObject ? checker.getTypeArguments(type as TypeReference) : [];
    for (const part of [...parts, ...items, ...given]) visit(part, direction);
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      visit(signature.getReturnType(), direction);
      const other = direction === 'input' ? 'output' : 'input';
      for (const parameter of signature.parameters) visit(checker.getTypeOfSymbol(parameter), other);
    }
    if (direction === 'input' && type.isClass()) return;
    for (const member of isObject ? type.getProperties().filter(isOurs) : []) {
      const declared = member.declarations!.find(isPropertySignature)?.type;
      const own = declared ? checker.getTypeFromTypeNode(declared) : checker.getTypeOfSymbol(member);
      if (member.flags & SymbolFlags.Optional) members[direction].set(nameOf(member), acceptsUndefined(own));
      visit(checker.getTypeOfSymbol(member), direction);
    }
  }
}

function isOurs({ declarations }: TypeScriptSymbol): boolean {
  return (
    declarations?.every((declaration) => declaration.getSourceFile().fileName.startsWith(resolve(DIST))) ??
    false
  );
}

function nameOf(member: TypeScriptSymbol): string {
  const { symbol } = member.declarations![0]!.parent as unknown as { symbol?: TypeScriptSymbol };
  return `${symbol?.name}.${member.name}`;
}

/** Members that are never set don't either. */
function acceptsUndefined(type: Type): boolean {
  const { Undefined, Any, Unknown, Never } = TypeFlags;
  return (type.isUnion() ? type.types : [type]).some(
    ({ flags }) => flags & (Undefined | Any | Unknown | Never),
  );
}

it('accepts undefined for each optional member of what callers pass', () => {
  const inputs = optionalInputs();
  expect(inputs.size).toBeGreaterThan(100);
  expect([...inputs].flatMap(([name, accepts]) => (accepts ? [] : [name]))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProgram, ModuleKind, SymbolFlags, type Symbol as TypeScriptSymbol } from 'typescript';
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

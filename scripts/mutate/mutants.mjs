import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const instrumenter = new Instrumenter({ debug() {}, info() {}, isDebugEnabled: () => false });
const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };

/** All mutations of the files, in an order that depends on the seed and that edits elsewhere don't change. */
export async function listMutants(root, names, seed) {
  const { mutants } = await instrument(root, names, () => true);
  const byKey = new Map(mutants.map((mutant) => [keyOf(mutant), mutant]));
  const rank = ({ file, original, replacement }) =>
    createHash('sha256').update([seed, file, original, replacement].join('\0')).digest('hex');
  return [...byKey.values()]
    .map((mutant) => ({ ...mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
}

/** The source of the files with these mutants, each behind a switch that asks for its id. */
export async function withSwitches(root, sample) {
  const names = [...new Set(sample.map(({ file }) => file))];
  const { files, mutants } = await instrument(root, names, (name) =>
    sample.filter(({ file }) => file === name).map(({ location }) => location),
  );
  const ids = new Map(mutants.map((mutant) => [keyOf(mutant), mutant.id]));
  return { files, mutants: sample.map((mutant) => ({ ...mutant, id: ids.get(keyOf(mutant)) })) };
}

async function instrument(root, names, mutate) {
  const contents = new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  const files = names.map((name) => ({ name, content: contents.get(name), mutate: mutate(name) }));
  const { files: instrumented, mutants } = await instrumenter.instrument(files, OPTIONS);
  return { files: instrumented, mutants: mutants.map((mutant) => describe(mutant, contents)) };
}

function describe({ id, fileName: file, location, mutatorName: mutator, replacement }, contents) {
  const lines = contents
    .get(file)
    .split('\n')
    .slice(location.start.line, location.end.line + 1);
  lines[lines.length - 1] = lines.at(-1).slice(0, location.end.column);
  lines[0] = lines[0].slice(location.start.column);
  return {
    id,
    file,
    line: location.start.line + 1,
    location,
    mutator,
    original: lines.join('\n'),
    replacement,
  };
}

function keyOf({ file, location: { start, end }, replacement }) {
  return [file, start.line, start.column, end.line, end.column, replacement].join('\0');
}

// Lists the placeholders and the steps that are left before a release. Exits with status 1 if there are any.
// With --owner NAME, first replaces the owner of the repository in all files, and the publisher of the extension.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const METADATA = 'scripts/package-metadata.mjs';
const EXTENSION = 'editors/vscode/package.json';
/** Files that name the version of the package, and how. */
const FILES_WITH_VERSION = {
  [EXTENSION]: /"version": "([^"]+)"/g,
  'docs/local-server.md': /\/logclient:([\d.]+\d)/g,
  'docs/testing-parsers.md': /\/logclient@v([\d.]+\d)/g,
  'examples/docker/compose.yaml': /\/logclient:([\d.]+\d)/g,
  'examples/docker/github-actions.yml': /\/logclient:([\d.]+\d)/g,
  'examples/grafana/compose.yaml': /\/logclient:([\d.]+\d)/g,
  'examples/detections/.github/workflows/queries.yml': /\/logclient@v([\d.]+\d)/g,
};

const textOf = (file) => readFileSync(resolve(ROOT, file), 'utf8');

const { owner } = parseArgs({ options: { owner: { type: 'string' } } }).values;
if (owner !== undefined) setOwner(owner);
// Read after the change.
const { FILES_WITH_ADDRESS, PLACEHOLDER, publishProblems, REPOSITORY } = await import(
  './package-metadata.mjs'
);
const manifest = JSON.parse(textOf('package.json'));

function setOwner(name) {
  if (!/^[a-z\d](-?[a-z\d])*$/i.test(name)) {
    throw new Error(`--owner must be the name of an account: letters, digits and hyphens (got "${name}").`);
  }
  replaceIn(METADATA, /(?<=REPOSITORY = 'https:\/\/github\.com\/)[^/]+/, name);
  replaceIn(EXTENSION, /(?<="publisher": ")[^"]+/, name);
  execFileSync(process.execPath, [resolve(ROOT, METADATA)], { stdio: 'inherit' });
}

function replaceIn(file, pattern, value) {
  writeFileSync(resolve(ROOT, file), textOf(file).replace(pattern, value));
}

/** What a program can check: placeholders, versions and the date. */
function problems() {
  const left = publishProblems(REPOSITORY, manifest);
  for (const file of FILES_WITH_ADDRESS) {
    const lines = textOf(file).split('\n');
    const numbers = lines.flatMap((line, i) => (line.includes(`${PLACEHOLDER}/`) ? [i + 1] : []));
    if (numbers.length > 0) left.push(`${file}:${numbers.join(',')}: the placeholder ${PLACEHOLDER}.`);
  }
  for (const [file, pattern] of Object.entries(FILES_WITH_VERSION)) {
    const versions = [...textOf(file).matchAll(pattern)].map((match) => match[1]);
    const other = versions.filter((version) => version !== manifest.version);
    if (versions.length === 0 || other.length > 0) {
      left.push(`${file}: names version ${other[0] ?? 'none'} instead of ${manifest.version}.`);
    }
  }
  const [, heading = ''] = textOf('CHANGELOG.md').match(/^## (.+)$/m) ?? [];
  const isDated = heading.startsWith(manifest.version) && /\d{4}-\d{2}-\d{2}/.test(heading);
  if (!isDated) left.push(`CHANGELOG.md: "## ${heading}" needs the version ${manifest.version} and a date.`);
  return left;
}

/** Steps of release/steps.md without a check mark. */
function steps() {
  return [...textOf('release/steps.md').matchAll(/^- \[ \] (.+)$/gm)].map((match) => match[1]);
}

const sections = { 'To change': problems(), 'To do by hand, then check in release/steps.md': steps() };
for (const [title, items] of Object.entries(sections)) {
  if (items.length === 0) continue;
  process.stdout.write(`${title}:\n${items.map((item) => `  ${item}\n`).join('')}`);
  process.exitCode = 1;
}
if (process.exitCode === undefined) process.stdout.write('Nothing is left.\n');

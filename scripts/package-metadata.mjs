// Writes the repository URL to package.json and all other files that contain it.
// With --check, writes nothing and exits with status 1 if the package can't be published.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** `npm run release:check -- --owner NAME` sets the owner. */
export const REPOSITORY = 'https://github.com/OWNER/logclient';

/** The owner until there is one. Not spelled out: after a change of owner, a search for it finds nothing. */
export const PLACEHOLDER = 'owner'.toUpperCase();

/** The address of the documentation site, on GitHub Pages. */
export const SITE = siteOf(REPOSITORY);

/** Files that contain the URL, besides package.json. */
export const FILES_WITH_ADDRESS = [
  'README.md',
  'release/pino.md',
  'release/winston.md',
  'SECURITY.md',
  '.github/ISSUE_TEMPLATE/config.yml',
  'docs/compared.md',
  'docs/editors.md',
  'docs/local-server.md',
  'docs/local-server-api.md',
  'docs/testing-parsers.md',
  'docs/trust.md',
  'examples/detections/.github/workflows/queries.yml',
  'editors/vscode/package.json',
  'examples/docker/compose.yaml',
  'examples/docker/github-actions.yml',
  'examples/grafana/compose.yaml',
];

const ROOT = resolve(import.meta.dirname, '..');

function siteOf(repository) {
  const [owner, name] = new URL(repository).pathname.slice(1).split('/');
  return `https://${owner.toLowerCase()}.github.io/${name}/`;
}

/** The owner and the name. */
export const pathOf = (repository) => new URL(repository).pathname.slice(1);

/** Replaces the address in a text. Names of images are lowercase. */
export const withAddress = (text, previous, repository) =>
  text.replaceAll(imageOf(previous), imageOf(repository)).replaceAll(pathOf(previous), pathOf(repository));

function imageOf(repository) {
  const path = pathOf(repository);
  return `ghcr.io/${path.startsWith(`${PLACEHOLDER}/`) ? path : path.toLowerCase()}`;
}

/** The fields of package.json that contain the URL. */
export function metadataOf(repository) {
  return {
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git` },
  };
}

/** Reasons why the package can't be published, if any. */
export function publishProblems(repository, manifest) {
  const problems = [];
  if (pathOf(repository).startsWith(`${PLACEHOLDER}/`)) {
    problems.push(
      'REPOSITORY in scripts/package-metadata.mjs has a placeholder: run npm run release:check -- --owner NAME.',
    );
  }
  for (const [field, value] of Object.entries(metadataOf(repository))) {
    if (JSON.stringify(manifest[field]) === JSON.stringify(value)) continue;
    problems.push(`"${field}" in package.json differs: run node scripts/package-metadata.mjs.`);
  }
  return problems;
}

function update(file, change) {
  const path = resolve(ROOT, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function write(manifest) {
  const previous = manifest.bugs.replace(/\/issues$/, '');
  update('package.json', () => `${JSON.stringify({ ...manifest, ...metadataOf(REPOSITORY) }, null, 2)}\n`);
  for (const file of FILES_WITH_ADDRESS) {
    update(file, (text) => withAddress(text, previous, REPOSITORY));
  }
}

if (process.argv[1] === import.meta.filename) {
  const manifest = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  if (process.argv.includes('--check')) {
    const problems = publishProblems(REPOSITORY, manifest);
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } else {
    write(manifest);
  }
}

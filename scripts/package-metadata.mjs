// Writes the repository URL to package.json and all other files that contain it.
// With --check, writes nothing and exits with status 1 if the package can't be published.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** OWNER is a placeholder. Replace it, then run this script. */
export const REPOSITORY = 'https://github.com/OWNER/logclient';

/** The address of the documentation site, on GitHub Pages. */
export const SITE = siteOf(REPOSITORY);

/** Files that contain the URL, besides package.json. */
export const FILES_WITH_ADDRESS = [
  'README.md',
  'release/pino.md',
  'release/winston.md',
  'SECURITY.md',
  '.github/ISSUE_TEMPLATE/config.yml',
  'docs/editors.md',
  'docs/local-server.md',
  'docs/local-server-api.md',
  'docs/testing-parsers.md',
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

/** `OWNER/logclient`, which is also part of the image name. */
export const pathOf = (repository) => new URL(repository).pathname.slice(1);

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
  if (repository.includes('/OWNER/')) {
    problems.push('REPOSITORY in scripts/package-metadata.mjs is a placeholder: set the real address.');
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
    update(file, (text) => text.replaceAll(pathOf(previous), pathOf(REPOSITORY)));
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

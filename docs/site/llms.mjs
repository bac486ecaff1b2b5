// Writes llms.txt and llms-full.txt (https://llmstxt.org), and the Markdown of each page beside its HTML.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SITE } from '../../scripts/package-metadata.mjs';
import { ESSENTIAL, GROUPS } from './pages.mjs';

const DOCS = join(import.meta.dirname, '..');
const SUMMARY =
  'Transports for pino, winston, LogLayer and console, a client, a testing kit, a CLI and a local server for Falcon LogScale (formerly Humio) and Next-Gen SIEM.';
const NOTES = `Everything runs without an account: \`npx logclient dev node app.js\` runs a program with a local server. Instructions for coding agents are in
the package: \`npx logclient skill install\`. The pages marked with * suffice for most tasks.`;
/** Large pages that are looked up, not read. They are not in llms-full.txt. */
const REFERENCES = ['functions', 'options', 'commands', 'other-languages'];

const pages = Object.entries(GROUPS).flatMap(([group, entries]) =>
  Object.entries(entries).map(([name, [title, contents]]) => ({ group, name, title, contents })),
);

function linkTo({ name, title, contents }) {
  const mark = ESSENTIAL.includes(name) ? '*' : '';
  return `- [${title}](${SITE}docs/${name}.md)${mark}: ${contents}`;
}

/** The index of the pages, by group. */
export function llmsIndex() {
  const groups = Object.keys(GROUPS).map((group) => {
    const links = pages.filter((page) => page.group === group).map(linkTo);
    return [`## ${group}`, links.join('\n')].join('\n\n');
  });
  return `${['# logclient', `> ${SUMMARY}`, NOTES, ...groups].join('\n\n')}\n`;
}

/** All pages that can be read, in reading order. */
export function llmsFull() {
  const texts = pages
    .filter(({ name }) => !REFERENCES.includes(name))
    .map(({ name }) => `<!-- ${SITE}docs/${name} -->\n\n${readFileSync(join(DOCS, `${name}.md`), 'utf8')}`);
  return [`# logclient\n\n> ${SUMMARY}\n`, ...texts].join('\n');
}

export function writeLlmsFiles(folder) {
  writeFileSync(join(folder, 'llms.txt'), llmsIndex());
  writeFileSync(join(folder, 'llms-full.txt'), llmsFull());
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const { name } of pages) cpSync(join(DOCS, `${name}.md`), join(folder, 'docs', `${name}.md`));
}

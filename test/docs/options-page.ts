import { VARIABLES } from '../../src/core/environment.ts';
import { OPTION_SECTIONS, type OptionSection } from './option-sections.ts';
import { type OptionMember, OptionTypes } from './option-types.ts';

const OR = new Intl.ListFormat('en-US', { type: 'disjunction' });

const types = new OptionTypes();

/** The part of docs/options.md that is generated from docstrings. */
export function optionsPage(): string {
  const home = new Map<string, string>();
  return [
    '## The environment',
    environmentTable(),
    ...OPTION_SECTIONS.map((entry) => (typeof entry === 'string' ? entry : section(entry, home))),
  ].join('\n\n');
}

/** The rows of a section: members of the type, except those that another table describes with the same words. */
export function rowsOf({ of, beside }: OptionSection): OptionMember[] {
  const members = types.membersOf(...of);
  if (beside === undefined) return members;
  const others = new Map(types.membersOf(...beside).map((member) => [member.name, rowOf(member)]));
  return members.filter((member) => others.get(member.name) !== rowOf(member));
}

function environmentTable(): string {
  const settings = {
    baseUrl: 'baseUrl',
    ingestToken: 'ingestToken',
    userToken: 'userToken',
    repository: 'repository',
    format: 'format',
    ingestUrl: 'ingestUrl',
    tags: 'tags',
    flushIntervalMs: 'flushIntervalMs',
    redact: 'redact',
    'auth.clientId': 'clientId',
    'auth.clientSecret': 'clientSecret',
    'auth.memberCid': 'memberCid',
    cloud: 'cloud',
    'baseUrl` with `auth': 'falconUrl',
  } as const;
  const rows = Object.entries(settings).map(
    ([option, setting]) =>
      `| \`${option}\` | ${OR.format(VARIABLES[setting].map((name) => `\`${name}\``))} |`,
  );
  return ['| option | variable |', '|---|---|', ...rows].join('\n');
}

/** A long row that an earlier table has is a link to that table, whose title is in `home`. */
function section(entry: OptionSection, home: Map<string, string>): string {
  const all = rowsOf(entry);
  const rows = all.filter((member) => !home.has(rowOf(member)));
  const shown = entry.isRecord === true ? recordTable(rows) : optionTable(rows);
  const others = repeated(all, home);
  const parts = [`### ${entry.title}`, entry.intro, missing(entry), rows.length === 0 ? '' : shown, others];
  for (const member of rows) if (isLong(member)) home.set(rowOf(member), entry.title);
  return parts.filter((part) => part !== '').join('\n\n');
}

function isLong({ meaning }: OptionMember): boolean {
  return meaning.split(' ').length > 3;
}

function repeated(members: readonly OptionMember[], home: ReadonlyMap<string, string>): string {
  const links = members.flatMap((member) => {
    const title = home.get(rowOf(member));
    return title === undefined ? [] : [`[\`${member.name}\`](#${anchorOf(title)})`];
  });
  return links.length === 0 ? '' : `The same as in an earlier table: ${links.join(', ')}.`;
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');
}

function missing({ of, beside }: OptionSection): string {
  if (beside === undefined) return '';
  const names = new Set(types.membersOf(...of).map(({ name }) => name));
  const left = types.membersOf(...beside).filter(({ name }) => !names.has(name));
  return left.length === 0 ? '' : `Does not accept ${OR.format(left.map(({ name }) => `\`${name}\``))}.`;
}

function recordTable(rows: readonly OptionMember[]): string {
  const lines = rows.map(({ name, type, meaning }) => cells([`\`${name}\``, `\`${type}\``, meaning]));
  return ['| name | type | meaning |', '|---|---|---|', ...lines].join('\n');
}

function optionTable(rows: readonly OptionMember[]): string {
  return ['| name | type | default | meaning |', '|---|---|---|---|', ...rows.map(rowOf)].join('\n');
}

function rowOf({ name, type, isRequired, fallback, meaning }: OptionMember): string {
  return cells([`\`${name}\``, `\`${type}\``, isRequired ? 'required' : quoted(fallback), meaning]);
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Shows a default that starts with a value as code. */
function quoted(fallback = ''): string {
  return fallback.replace(/^(?:-?\d[\d_]*|'[^']*'|true|false|Infinity|\{\}|\[\])(?=$|,| \()/, '`$&`');
}

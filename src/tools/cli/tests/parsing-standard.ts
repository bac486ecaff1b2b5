/** Versions of the CrowdStrike Parsing Standard (CPS). */
export const CPS_VERSIONS = ['1.0', '1.1', '1.2'] as const;

export type CpsVersion = (typeof CPS_VERSIONS)[number];

type Event = Readonly<Record<string, string>>;

/** A rule of the standard. */
interface Rule {
  readonly name: string;
  /** The first and the last version with the rule. Default: all. */
  readonly from?: CpsVersion;
  readonly until?: CpsVersion;
  /** What is wrong with an event. */
  readonly problems: (event: Event, version: CpsVersion) => readonly string[];
}

const TAGS = [
  'Cps.version',
  'Vendor',
  'ecs.version',
  'event.dataset',
  'event.kind',
  'event.module',
  'event.outcome',
  'observer.type',
];
const REQUIRED = ['Cps.version', 'Parser.version', 'Vendor', 'ecs.version', 'event.kind', 'event.module'];

/** Values of the categorization fields of ECS. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'event.kind': words('alert asset enrichment event metric state pipeline_error signal'),
  'event.category': words(
    'api authentication configuration database driver email file host iam intrusion_detection library malware network package process registry session threat vulnerability web',
  ),
  'event.type': words(
    'access admin allowed change connection creation deletion denied device end error group indicator info installation protocol start user',
  ),
  'event.outcome': words('failure success unknown'),
};

/** The names before the first dot of fields of ECS 8 and 9, and of the standard itself. */
const NAMESPACES = words(
  'agent as client cloud code_signature container data_stream destination device dll dns ecs elf email entity error event faas file gen_ai geo group hash host http interface labels log macho message network observer orchestrator organization os package pe process registry related risk rule server service source span tags threat tls trace transaction url user user_agent vlan volume vulnerability x509 Cps Parser Vendor',
);

const LOWERCASE = [
  /\.address$/,
  /\.domain$/,
  /^event\.(?:module|dataset)$/,
  /^Vendor$/,
  /^host\.hostname$/,
  /\.hash\.\w+$/,
];

const RULES: readonly Rule[] = [
  {
    name: 'required fields',
    problems: (event) => REQUIRED.filter((name) => !has(event, name)).map((name) => `${name} is missing`),
  },
  {
    name: 'tags',
    problems: (event) =>
      TAGS.filter((name) => Object.hasOwn(event, name)).map(
        (name) => `${name} is no tag. Add it to tagFields, so that it becomes #${name}`,
      ),
  },
  {
    name: 'version of the standard',
    problems: (event, version) => {
      const value = fieldValue(event, 'Cps.version');
      if (value === undefined || value.startsWith(`${version}.`)) return [];
      return [`Cps.version must be ${version}.x (got "${value}")`];
    },
  },
  {
    name: 'versions',
    problems: (event) =>
      ['Cps.version', 'Parser.version', 'ecs.version'].flatMap((name) => {
        const value = fieldValue(event, name);
        if (value === undefined || /^\d+\.\d+\.\d+$/.test(value)) return [];
        return [`${name} must be MAJOR.MINOR.PATCH (got "${value}")`];
      }),
  },
  {
    name: 'event categorization',
    problems: (event) =>
      Object.entries(event).flatMap(([field, value]) => {
        const allowed = VALUES[plainName(field).replace(/\[\d+\]$/, '')];
        if (allowed === undefined || allowed.includes(value)) return [];
        return [`${field} must be a value of ECS: ${allowed.join(', ')} (got "${value}")`];
      }),
  },
  {
    name: 'arrays',
    problems: (event) =>
      ['event.category', 'event.type']
        .filter((name) => has(event, name))
        .map((name) => `${name} must be an array. Use array:append("${name}[]", values=[…])`),
  },
  {
    name: 'fields of ECS',
    problems: (event) =>
      Object.keys(event)
        .filter((field) => !field.startsWith('@') && !['#repo', '#type'].includes(field))
        .filter((field) => !NAMESPACES.includes(/^[^.[]*/.exec(plainName(field))![0]))
        .map((field) => `${field} is no field of ECS. Prefix it with "Vendor."`),
  },
  {
    name: 'fields without a place',
    problems: (event) => present(event, /^(?:event\.original|event\.ingested|Parser_version|Product)$/),
  },
  {
    name: 'event.code and related',
    until: '1.1',
    problems: (event) => present(event, /^(?:event\.code|related\..*)$/),
  },
  { name: 'lowercase values', problems: (event) => uppercase(event, LOWERCASE) },
  { name: 'lowercase values', from: '1.1', problems: (event) => uppercase(event, [/\.email$/]) },
  {
    name: 'original fields',
    from: '1.1',
    problems: (event) =>
      Object.keys(event).some((field) => field.startsWith('Vendor.'))
        ? []
        : ['no field starts with "Vendor."'],
  },
  {
    name: 'severity',
    from: '1.1',
    problems: (event) => {
      const value = fieldValue(event, 'event.severity');
      if (value === undefined || (Number(value) >= 1 && Number(value) <= 100)) return [];
      return [`event.severity must be a number from 1 to 100 (got "${value}")`];
    },
  },
  {
    name: 'alerts',
    from: '1.1',
    problems: (event) =>
      fieldValue(event, 'event.kind') === 'alert'
        ? ['event.category[0]', 'event.type[0]', 'event.severity']
            .filter((name) => !has(event, name))
            .map((name) => `an alert needs ${name}`)
        : [],
  },
];

/** The rules that an event of a parser breaks, as messages. */
export function cpsProblems(event: Event, version: CpsVersion): readonly string[] {
  return RULES.filter(({ from = '1.0', until = '1.2' }) => from <= version && version <= until).flatMap(
    ({ name, problems }) => problems(event, version).map((text) => `${text} (CPS ${version}: ${name}).`),
  );
}

function present(event: Event, pattern: RegExp): readonly string[] {
  return Object.keys(event)
    .filter((field) => pattern.test(plainName(field)))
    .map((field) => `${field} must not exist`);
}

function uppercase(event: Event, patterns: readonly RegExp[]): readonly string[] {
  return Object.entries(event)
    .filter(([field, value]) => {
      const name = plainName(field);
      const isVendors = name.startsWith('Vendor.');
      return !isVendors && value !== value.toLowerCase() && patterns.some((pattern) => pattern.test(name));
    })
    .map(([field, value]) => `${field} must be lowercase (got "${value}")`);
}

/** Tags have a mark. */
function plainName(field: string): string {
  return field.replace(/^#/, '');
}

function has(event: Event, name: string): boolean {
  return fieldValue(event, name) !== undefined;
}

function fieldValue(event: Event, name: string): string | undefined {
  const field = [`#${name}`, name].find((each) => Object.hasOwn(event, each));
  return field === undefined ? undefined : event[field];
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

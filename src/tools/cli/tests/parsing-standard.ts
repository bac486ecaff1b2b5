/** Versions of the CrowdStrike Parsing Standard (CPS). */
export const CPS_VERSIONS = ['1.0', '1.1', '1.2'] as const;

export type CpsVersion = (typeof CPS_VERSIONS)[number];

type Event = Readonly<Record<string, string>>;

/** A rule of the standard: what is wrong with a field of an event, or with the whole event. */
interface Rule {
  readonly name: string;
  /** The first and the last version with the rule. Default: all. */
  readonly from?: CpsVersion;
  readonly until?: CpsVersion;
  /** @param name of the field without the mark of tags, as in `field` */
  readonly ofField?: (name: string, value: string, field: string, version: CpsVersion) => string | false;
  readonly ofEvent?: (event: Event) => readonly string[];
}

const TAGS = words(
  'Cps.version Vendor ecs.version event.dataset event.kind event.module event.outcome observer.type',
);
const REQUIRED = words('Cps.version Parser.version Vendor ecs.version event.kind event.module');

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

const RULES: readonly Rule[] = [
  {
    name: 'required fields',
    ofEvent: (event) => missing(event, REQUIRED).map((name) => `${name} is missing`),
  },
  {
    name: 'tags',
    ofField: (_, _value, field) =>
      TAGS.includes(field) && `${field} is no tag. Add it to tagFields, so that it becomes #${field}`,
  },
  {
    name: 'version of the standard',
    ofField: (name, value, _, version) =>
      name === 'Cps.version' &&
      !value.startsWith(`${version}.`) &&
      `${name} must be ${version}.x (got "${value}")`,
  },
  {
    name: 'versions',
    ofField: (name, value) =>
      ['Cps.version', 'Parser.version', 'ecs.version'].includes(name) &&
      !/^\d+\.\d+\.\d+$/.test(value) &&
      `${name} must be MAJOR.MINOR.PATCH (got "${value}")`,
  },
  {
    name: 'event categorization',
    ofField(name, value, field) {
      const allowed = VALUES[name.replace(/\[\d+\]$/, '')] ?? [value];
      return (
        !allowed.includes(value) && `${field} must be a value of ECS: ${allowed.join(', ')} (got "${value}")`
      );
    },
  },
  {
    name: 'arrays',
    ofField: (name) =>
      ['event.category', 'event.type'].includes(name) &&
      `${name} must be an array. Use array:append("${name}[]", values=[…])`,
  },
  {
    name: 'fields of ECS',
    ofField: (name, _, field) =>
      !/^(?:@.*|#repo|#type)$/.test(field) &&
      !NAMESPACES.includes(/^[^.[]*/.exec(name)![0]) &&
      `${field} is no field of ECS. Prefix it with "Vendor."`,
  },
  {
    name: 'fields without a place',
    ofField: absent(/^(?:event\.original|event\.ingested|Parser_version|Product)$/),
  },
  { name: 'event.code and related', until: '1.1', ofField: absent(/^(?:event\.code|related\..*)$/) },
  {
    name: 'lowercase values',
    ofField: lowercase(
      /\.address$|\.domain$|^event\.(?:module|dataset)$|^Vendor$|^host\.hostname$|\.hash\.\w+$/,
    ),
  },
  { name: 'lowercase values', from: '1.1', ofField: lowercase(/\.email$/) },
  {
    name: 'original fields',
    from: '1.1',
    ofEvent: (event) =>
      Object.keys(event).some((field) => field.startsWith('Vendor.'))
        ? []
        : ['no field starts with "Vendor."'],
  },
  {
    name: 'severity',
    from: '1.1',
    ofField: (name, value) =>
      name === 'event.severity' &&
      !(Number(value) >= 1 && Number(value) <= 100) &&
      `event.severity must be a number from 1 to 100 (got "${value}")`,
  },
  {
    name: 'alerts',
    from: '1.1',
    ofEvent: (event) =>
      (event['#event.kind'] ?? event['event.kind']) === 'alert'
        ? missing(event, ['event.category[0]', 'event.type[0]', 'event.severity']).map(
            (name) => `an alert needs ${name}`,
          )
        : [],
  },
];

/** The rules that an event of a parser breaks, as messages. */
export function cpsProblems(event: Event, version: CpsVersion): readonly string[] {
  const fields = Object.entries(event).map(
    ([field, value]) => [field.replace(/^#/, ''), value, field] as const,
  );
  return RULES.filter(({ from = '1.0', until = '1.2' }) => from <= version && version <= until).flatMap(
    ({ name, ofField = () => false, ofEvent = () => [] }) =>
      [...ofEvent(event), ...fields.flatMap((field) => ofField(...field, version) || [])].map(
        (text) => `${text} (CPS ${version}: ${name}).`,
      ),
  );
}

function missing(event: Event, names: readonly string[]): readonly string[] {
  return names.filter((name) => !Object.hasOwn(event, `#${name}`) && !Object.hasOwn(event, name));
}

function absent(pattern: RegExp): Rule['ofField'] {
  return (name, _, field) => pattern.test(name) && `${field} must not exist`;
}

function lowercase(pattern: RegExp): Rule['ofField'] {
  return (name, value, field) =>
    pattern.test(name) &&
    !name.startsWith('Vendor.') &&
    value !== value.toLowerCase() &&
    `${field} must be lowercase (got "${value}")`;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

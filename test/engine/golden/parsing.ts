import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const TASK =
  '<?xml version="1.0"?><Task version="1.4"><!-- x --><Author>A &amp; B</Author><Triggers><Logon><Enabled>true</Enabled></Logon></Triggers>' +
  '<Arg>one</Arg><Arg n="2"><![CDATA[<two>]]></Arg><Empty/>\n</Task>';

const CEF = String.raw`<13>host CEF:0|Ven\|dor|Prod|1.0|100|a name|5|src=192.0.2.1 msg=a\=b  c\nd cs1=drop it cs1Label=Rule cn1Label=None act=`;
const CEF_HEADER = {
  'cef.version': '0',
  'cef.device.vendor': 'Ven|dor',
  'cef.device.product': 'Prod',
  'cef.device.version': '1.0',
  'cef.event_class_id': '100',
  'cef.name': 'a name',
  'cef.severity': '5',
};
const CEF_MEMBERS = { src: '192.0.2.1', msg: 'a=b  c\nd', cn1Label: 'None', act: '' };

const LEEF = 'LEEF:1.0|Ven|Prod|2|login|src=192.0.2.1\tcs1=yes\tcs1Label=OK\tdevTime=Jun 15 2023 14:03:45';

function prefixed(prefix: string, members: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [prefix + name, value]));
}

export const parsingCases: GoldenCases = {
  parseXml: [
    [
      'parseXml() | drop(@rawstring)',
      [{ '@rawstring': TASK }, { a: '1' }],
      [
        { a: '1' },
        {
          'Task.version': '1.4',
          'Task.Author': 'A & B',
          'Task.Triggers.Logon.Enabled': 'true',
          'Task.Arg[0]': 'one',
          'Task.Arg[1]': '<two>',
          'Task.Arg[1].n': '2',
          'Task.Empty': '',
        },
      ],
    ],
    ['parseXml(f, prefix="x.")', [{ f: '<a>1</a>' }], [{ f: '<a>1</a>', 'x.a': '1' }]],
    [
      'parseXml(field=f)',
      events('f=<a><b></a>', 'f=&x;'),
      ['&x;', '<a><b></a>'].map((f) => ({
        f,
        '@error': 'true',
        '@error_msg': 'The field "f" contains no valid XML.',
      })),
    ],
    ['parseXml(f, strict=true)', events('f=<a>1</a>', 'f=<a>', 'g=1'), events('g=1', 'f=<a>1</a> a=1')],
    [
      'parseXml(f, strict=true)',
      [{ f: '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>' }, { f: '<a>'.repeat(1000) + '</a>'.repeat(1000) }],
      [],
    ],
    ['f =~ parseXml()', events('f=<a:b>1</a:b>'), events('f=<a:b>1</a:b> a:b=1')],
  ],
  parseCsv: [
    [
      'parseCsv(columns=[a, b, c]) | drop(@rawstring)',
      [{ '@rawstring': '1,"x, ""y""",3,4' }, { '@rawstring': '1' }, { z: '1' }],
      [{ z: '1' }, { a: '1' }, { a: '1', b: 'x, "y"', c: '3' }],
    ],
    [
      'parseCsv(f, columns=[a, b], delimiter=";", trim=true, excludeEmpty=true) | drop(f)',
      [{ f: ' 1 ; ' }, { f: ';"2;\n3"' }],
      [{ b: '2;\n3' }, { a: '1' }],
    ],
    ['parseCsv(f, columns=a) | drop(f)', [{ f: '1\n2' }, { f: '' }], [{ a: '' }, { a: '1' }]],
  ],
  parseFixedWidth: [
    [
      'parseFixedWidth(columns=[a, b, c], widths=[2, 3, 4]) | drop(@rawstring)',
      [{ '@rawstring': '12 4 67890' }, { '@rawstring': '12' }, { z: '1' }],
      [{ z: '1' }, { a: '12' }, { a: '12', b: '4', c: '6789' }],
    ],
    [
      'parseFixedWidth(f, columns=[a, b], widths=[2, 3], trim=false) | drop(f)',
      [{ f: ' 1 3' }],
      [{ a: ' 1', b: ' 3' }],
    ],
  ],
  parseUrl: [
    [
      'parseUrl() | drop(url)',
      events(
        'url=https://me:pw@host.example:8080/p/a%20b?x=1&y#top',
        'url=http://[::1]/',
        'url=/p',
        'url=mailto:a@b',
        'a=1',
      ),
      [
        { a: '1' },
        { 'url.scheme': 'mailto' },
        { 'url.path': '/p' },
        { 'url.scheme': 'http', 'url.host': '[::1]', 'url.path': '/' },
        {
          'url.scheme': 'https',
          'url.username': 'me',
          'url.password': 'pw',
          'url.host': 'host.example',
          'url.port': '8080',
          'url.path': '/p/a%20b',
          'url.query': 'x=1&y',
          'url.fragment': 'top',
        },
      ],
    ],
    ['u := parseUrl(f)', events('f=http://h'), events('f=http://h u.scheme=http u.host=h')],
    ['parseUrl(field=f, as=u)', [{ f: 'http://a b/' }], [{ f: 'http://a b/' }]],
  ],
  parseUri: [
    [
      'parseUri(f) | drop(f)',
      events('f=https://h/p', 'f=/p?q', 'f=mailto:a@b', 'a=1'),
      events('a=1', 'f.scheme=mailto f.path=a@b', 'f.path=/p f.query=q', 'f.scheme=https f.host=h f.path=/p'),
    ],
    [
      'parseUri(f, defaultBase="http://", prefix=u) | drop(f)',
      events('f=h:80/p', 'f=//h', 'f=ftp://h'),
      events('u.scheme=ftp u.host=h', 'u.scheme=http u.host=h', 'u.scheme=http u.host=h u.port=80 u.path=/p'),
    ],
    [
      'parseUri(field=f, defaultBase="https://h/a/b?c") | select([f.host, f.path, f.query])',
      events('f=d', 'f=/d', 'f=//e/d', 'f=?q'),
      events(
        'f.host=h f.path=/a/b f.query=q',
        'f.host=e f.path=/d',
        'f.host=h f.path=/d',
        'f.host=h f.path=/a/d',
      ),
    ],
  ],
  parseCEF: [
    [
      'parseCEF() | drop(@rawstring)',
      [{ '@rawstring': CEF }, { a: '1' }],
      [{ a: '1' }, { ...CEF_HEADER, ...prefixed('cef.ext.', CEF_MEMBERS), 'cef.label.Rule': 'drop it' }],
    ],
    [
      'parseCEF(f, headerprefix="h.", prefix="e.", labelprefix="l.", keeplabels=true) | select([h.name, e.cs1, e.cs1Label, l.Rule])',
      [{ f: CEF }],
      [{ 'h.name': 'a name', 'e.cs1': 'drop it', 'e.cs1Label': 'Rule', 'l.Rule': 'drop it' }],
    ],
    ['parseCEF(f) | select(cef.severity)', [{ f: 'CEF:0|a|b|c|d|e|High' }], [{ 'cef.severity': 'High' }]],
    [
      'parseCEF(f)',
      events('f=CEF:0|a|b'),
      [{ f: 'CEF:0|a|b', '@error': 'true', '@error_msg': 'The field "f" contains no valid CEF.' }],
    ],
  ],
  parseLEEF: [
    [
      'parseLEEF() | drop(@rawstring)',
      [{ '@rawstring': LEEF }, { a: '1' }],
      [
        { a: '1' },
        {
          'leef.version': '1.0',
          'leef.device.vendor': 'Ven',
          'leef.device.product': 'Prod',
          'leef.device.version': '2',
          'leef.event_id': 'login',
          'leef.ext.src': '192.0.2.1',
          'leef.ext.devTime': 'Jun 15 2023 14:03:45',
          'leef.label.OK': 'yes',
          '@timestamp': '1686837825000',
          '@timezone': 'Z',
        },
      ],
    ],
    [
      'parseLEEF(f, headerprefix="h.", prefix="e.", labelprefix="l.", keeplabels=true, parsetime=false) | drop(f)',
      [{ f: 'LEEF:2.0|V|P|1|x|^|a=1^aLabel=L' }],
      [
        {
          'h.version': '2.0',
          'h.device.vendor': 'V',
          'h.device.product': 'P',
          'h.device.version': '1',
          'h.event_id': 'x',
          'e.a': '1',
          'e.aLabel': 'L',
          'l.L': '1',
        },
      ],
    ],
    [
      'parseLEEF(f, timezone="Europe/Copenhagen") | select([@timestamp, @timezone])',
      [
        { f: 'LEEF:2.0|V|P|1|x|0x7C|devTime=15-06-2023 14:03|devTimeFormat=dd-MM-yyyy HH:mm' },
        { f: 'LEEF:1.0|V|P|1|x|devTime=2023-06-15 14:03:45' },
        { f: 'LEEF:1.0|V|P|1|x|devTime=2023-06-15 14:03:45+01:00' },
      ],
      events(
        '@timestamp=1686834225000 @timezone=+01:00',
        '@timestamp=1686830625000 @timezone=Europe/Copenhagen',
        '@timestamp=1686830580000 @timezone=Europe/Copenhagen',
      ),
    ],
    [
      'parseLEEF(f, delimiter=";") | select([leef.ext.a, leef.ext.b])',
      [{ f: 'LEEF:1.0|V|P|1|x|a=1;b=2' }],
      [{ 'leef.ext.a': '1', 'leef.ext.b': '2' }],
    ],
    [
      'parseLEEF(f)',
      events('f=LEEF:1.0|a'),
      [{ f: 'LEEF:1.0|a', '@error': 'true', '@error_msg': 'The field "f" contains no valid LEEF.' }],
    ],
  ],
};

import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const JSON_TEXT = '{"a":[1,2.50,{}],"b":"x, [y] \\"z\\"","c":null,"d":[],"e":{"f":true}}';
const XML_TEXT =
  '<?xml version="1.0"?><!-- note --><a id="x>y"><b>text</b><c/><d>some longer text here</d><e></e>mixed<f><![CDATA[<raw>]]></f></a>';

/** Bits 1, 4, 6, 7 and 10. */
const FLAGS = '[[10, TEN], [0, ZERO], [1, ONE], [63, LAST]]';

export const fieldCases: GoldenCases = {
  lowercase: [
    ['lowercase("Name")', events('Name=AbC Other=X', 'Other=X'), events('Other=X', 'Name=abc Other=X')],
    ['lowercase(Name, include=fields)', events('Name=AbC'), events('name=AbC')],
    ['lowercase(Name, include=both)', events('Name=AbC name=old'), events('name=abc')],
    ['lowercase(*)', events('A=X B=Y'), events('A=x B=y')],
    ['lowercase(*, include=both)', events('A=X B=Y'), events('a=x b=y')],
    ['lowercase(a, locale=tr)', events('a=I'), events('a=ı')],
    ['A =~ lowercase()', events('A=X'), events('A=x')],
  ],
  'text:length': [
    [
      'text:length(a)',
      [{ a: 'ab' }, { a: 'e\u0301👨‍👩‍👧\r\n' }, {}],
      [{}, { a: 'e\u0301👨‍👩‍👧\r\n', _length: '3' }, { a: 'ab', _length: '2' }],
    ],
    ['n := text:length("abc")', [{}], [{ n: '3' }]],
    ['text:length(string=a, as=n)', events('a='), events('a= n=0')],
  ],
  'text:substring': [
    ['text:substring("abcdef", begin=1, end=3)', [{}], [{ _string: 'bc' }]],
    [
      's := text:substring(a, begin=b)',
      events('a=abc b=1', 'a=abc b=3', 'a=abc b=x'),
      events('a=abc b=x', 'a=abc b=3 s=', 'a=abc b=1 s=bc'),
    ],
    ['s := text:substring(a, end=length(a) - 1)', events('a=abc', 'b=1'), events('b=1', 'a=abc s=ab')],
    ['text:substring(a, begin=2, end=1, as=s)', events('a=abc'), events('a=abc')],
    ['text:substring(a, end=4, as=s)', events('a=abc'), events('a=abc')],
    ['text:substring(a, begin=-1, as=s)', events('a=abc'), events('a=abc')],
    ['text:substring(a, begin=0.5, as=s)', events('a=abc'), events('a=abc')],
    ['s := text:substring(a, begin=1, end=2)', [{ a: '👍🏽👎x' }], [{ a: '👍🏽👎x', s: '👎' }]],
  ],
  'text:positionOf': [
    [
      'text:positionOf(f, character="lo")',
      events('f=hello', 'f=world', 'f=log'),
      events('f=log _position=0', 'f=world', 'f=hello _position=3'),
    ],
    [
      'p := text:positionOf(f, character=c, begin=3)',
      events('f=abcabc c=b', 'f=abcabc'),
      events('f=abcabc', 'f=abcabc c=b p=4'),
    ],
    [
      'text:positionOf(f, character="a", occurrence=2, as=p)',
      events('f=banana', 'f=a'),
      events('f=a', 'f=banana p=3'),
    ],
    ['text:positionOf(f, character="aa", occurrence=2)', events('f=aaa'), events('f=aaa _position=1')],
    ['text:positionOf(string="x👍🏽y", character="y")', [{}], [{ _position: '2' }]],
    ['text:positionOf(f, character="")', events('f=a'), events('f=a')],
  ],
  'text:trim': [
    ['text:trim(a)', [{ a: ' \t x y\n' }, {}], [{}, { a: ' \t x y\n', _trim: 'x y' }]],
    ['a := text:trim(a, mode=start)', [{ a: ' x ' }], [{ a: 'x ' }]],
    ['text:trim(field=a, mode=end, as=t)', [{ a: ' x ' }], [{ a: ' x ', t: ' x' }]],
  ],
  'text:editDistance': [
    [
      'text:editDistance(target=d, reference="crowdstrike.com", maxDistance=5)',
      events('d=crowdstrike.com', 'd=crowdstreak.com', 'd=crownstrike.com', 'd=logscale.com', ''),
      events(
        '',
        'd=logscale.com',
        'd=crownstrike.com _distance=1',
        'd=crowdstreak.com _distance=3',
        'd=crowdstrike.com _distance=0',
      ),
    ],
    ['text:editDistance(target="ab", reference="ba", maxDistance=2, as=n)', [{}], [{ n: '1' }]],
    [
      'text:editDistance(target="ab", reference="ba", maxDistance=2, allowTranspositions=false, as=n)',
      [{}],
      [{ n: '2' }],
    ],
    [
      'text:editDistance(target="AB", reference="ab", maxDistance=0, ignoreCase=true)',
      [{}],
      [{ _distance: '0' }],
    ],
    ['text:editDistance(target="", reference="abc", maxDistance=3)', [{}], [{ _distance: '3' }]],
  ],
  'text:editDistanceAsArray': [
    [
      'text:editDistanceAsArray(target=a, references=["abc", b, "xyz"], maxDistance=1)',
      events('a=abd b=Abd', 'b=1'),
      [
        { b: '1' },
        {
          a: 'abd',
          b: 'Abd',
          '_distance[0].reference': 'abc',
          '_distance[0].distance': '1',
          '_distance[1].reference': 'Abd',
          '_distance[1].distance': '1',
        },
      ],
    ],
    [
      'text:editDistanceAsArray(target="AB", references="ba", maxDistance=1, ignoreCase=true, asArray="d[]")',
      [{}],
      [{ 'd[0].reference': 'ba', 'd[0].distance': '1' }],
    ],
    [
      'text:editDistanceAsArray(target="ab", references="ba", maxDistance=1, allowTranspositions=false)',
      [{}],
      [{}],
    ],
  ],
  hash: [
    [
      'hash(a, as=h) | hash([b], as=i) | test(h == i) | select([a, b])',
      events('a=x b=x', 'a=x b=y'),
      events('a=x b=x'),
    ],
    [
      'hash([a, b], as=h) | hash([c, d], as=i) | test(h == i) | count()',
      events('a=1 b=23 c=12 d=3', 'a= c=1'),
      events('_count=0'),
    ],
    ['hash(a, limit=1)', events('a=x', ''), events('_hash=0', 'a=x _hash=0')],
    [
      'hash(a, limit=10) | _hash >= 0 _hash < 10 | count()',
      events('a=1', 'a=2', 'a=3', 'a=4', 'a=5'),
      events('_count=5'),
    ],
    [
      'hash(a, seed=1, as=h) | hash(a, seed=2, as=i) | test(h != i) | select(a)',
      events('a=x'),
      events('a=x'),
    ],
    ['h := hash(a) | h=/^\\d+$/ | select(a)', events('a=x'), events('a=x')],
  ],
  tokenHash: [
    [
      'tokenHash(a, as=h) | tokenHash(b, as=i) | test(h == i) | select([a, b])',
      [
        { a: 'the quick fox', b: 'fox  quick the' },
        { a: 'one two', b: 'one three' },
      ],
      [{ a: 'the quick fox', b: 'fox  quick the' }],
    ],
    ['tokenHash(a) | _tokenHash=/^[0-9a-f]{8}$/ | select(a)', events('a=x'), events('a=x')],
    ['tokenHash(a)', events('b=1', 'a='), events('a= _tokenHash=00000000', 'b=1')],
  ],
  'crypto:md5': [
    ['crypto:md5(a)', events('a=a'), events('a=a _md5=0cc175b9c0f1b6a831c399e269772661')],
    ['h := crypto:md5([a, b])', events('b=a'), events('b=a h=0cc175b9c0f1b6a831c399e269772661')],
    ['crypto:md5(a, as=h)', [{}], [{ h: 'd41d8cd98f00b204e9800998ecf8427e' }]],
  ],
  'crypto:sha1': [
    [
      'crypto:sha1([a, b], as=h)',
      events('a=ab b=c'),
      events('a=ab b=c h=a9993e364706816aba3e25717850c26c9cd0d89d'),
    ],
    ['crypto:sha1(a)', events('a=abc'), events('a=abc _sha1=a9993e364706816aba3e25717850c26c9cd0d89d')],
  ],
  'crypto:sha256': [
    [
      'crypto:sha256(a)',
      events('a=abc'),
      events('a=abc _sha256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
    ],
    [
      'h := crypto:sha256([a, b, c])',
      events('a=ab c=c'),
      events('a=ab c=c h=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
    ],
  ],
  hashRewrite: [
    [
      'hashRewrite(ssn, salt="s1", bits=64)',
      [{ ssn: '12', '@rawstring': 'ssn=12 again 12' }, { a: '1' }],
      [{ a: '1' }, { ssn: 'ea0d4ca5a9d00253', '@rawstring': 'ssn=ea0d4ca5a9d00253 again ea0d4ca5a9d00253' }],
    ],
    [
      'hashRewrite(ssn, salt="s1", as=h, hash=sha512, bits=64)',
      events('ssn=12'),
      events('ssn=12 h=e8f903ccbe15ad8b'),
    ],
    [
      'hashRewrite(ssn, salt="s1", replaceInRawstring=false)',
      events('ssn=12 @rawstring=12'),
      events('ssn=ea0d4ca5a9d00253675ad4d13fc7c0beefd8bef142f364dd734942a905c52c77 @rawstring=12'),
    ],
    [
      'hashRewrite(ssn, salt="s1", bits=8)',
      events('ssn= @rawstring=12'),
      [{ ssn: '9f', '@rawstring': '12' }],
    ],
  ],
  shannonEntropy: [
    [
      'shannonEntropy(d)',
      events('d=example.com', ''),
      events('', 'd=example.com _shannonentropy=3.0957952550009344'),
    ],
    ['e := shannonEntropy("d")', events('d=aaaa', 'd=ab', 'd='), events('d= e=0', 'd=ab e=1', 'd=aaaa e=0')],
    ['shannonEntropy(d, as=e)', [{ d: '😀😀🙁🙁' }], [{ d: '😀😀🙁🙁', e: '1' }]],
  ],
  base64Decode: [
    [
      'base64Decode(a)',
      events('a=SGVsbG8=', 'a=SGVsbG8', 'b=1'),
      events('b=1', 'a=SGVsbG8 _base64Decode=Hello', 'a=SGVsbG8= _base64Decode=Hello'),
    ],
    ['d := base64Decode(a, charset="UTF-16LE")', events('a=aABpAA=='), events('a=aABpAA== d=hi')],
    ['base64Decode(a, charset="UTF-16BE", as=d)', events('a=AGgAaQ=='), events('a=AGgAaQ== d=hi')],
    ['base64Decode(a, charset="ISO-8859-1", as=d)', events('a=6Q=='), events('a=6Q== d=é')],
    ['base64Decode(a, as=d)', events('a=6Q==', 'a=A'), events('a=A', 'a=6Q== d=\ufffd')],
    ['base64Decode(a, as=d)', [{ a: 'SGVs\nbG8-=' }], [{ a: 'SGVs\nbG8-=', d: 'Hello' }]],
  ],
  base64Encode: [
    ['base64Encode(a)', events('a=Hello', 'b=1'), events('b=1', 'a=Hello _base64Encode=SGVsbG8=')],
    ['b := base64Encode(a)', events('a=é'), events('a=é b=w6k=')],
  ],
  urlDecode: [
    [
      'urlDecode(a)',
      events('a=https%3A%2F%2Fx.org+y', 'a=50%', 'b=1'),
      [{ b: '1' }, { a: '50%' }, { a: 'https%3A%2F%2Fx.org+y', _urldecode: 'https://x.org y' }],
    ],
    ['a := urlDecode("a")', events('a=%C3%A9'), events('a=é')],
  ],
  urlEncode: [
    [
      'urlEncode(a)',
      [{ a: "https://x.org/a b*(é)~'!" }, {}],
      [{}, { a: "https://x.org/a b*(é)~'!", _urlencode: 'https%3A%2F%2Fx.org%2Fa+b*%28%C3%A9%29%7E%27%21' }],
    ],
    ['u := urlEncode(a)', [{ a: 'x\ud800' }], [{ a: 'x\ud800', u: 'x%EF%BF%BD' }]],
  ],
  parseHexString: [
    [
      'parseHexString(a)',
      events('a=48656c6c6f', 'a=0x48:65-6C', 'a=486', 'b=1'),
      events('b=1', 'a=486', 'a=0x48:65-6C _parsehexstring=Hel', 'a=48656c6c6f _parsehexstring=Hello'),
    ],
    ['h := parseHexString(a, charset="ISO-8859-1")', events('a=16#e9'), events('a=16#e9 h=é')],
    ['parseHexString(a, as=h)', events('a=ff'), events('a=ff h=\ufffd')],
  ],
  parseInt: [
    [
      'parseInt(a)',
      events('a=ff', 'a=0xFF', 'a=16#1f', 'a=xyz', 'a=', 'b=1'),
      events('b=1', 'a=', 'a=xyz', 'a=31', 'a=255', 'a=255'),
    ],
    ['parseInt(a, endian=little, as=n)', events('a=8001', 'a=801'), events('a=801 n=264', 'a=8001 n=384')],
    ['n := parseInt(a, endian="big", radix="16")', events('a=8001'), events('a=8001 n=32769')],
    [
      'parseInt(a, radix=2, as=n)',
      events('a=00011001', 'a=2#11', 'a=12'),
      events('a=12', 'a=2#11 n=3', 'a=00011001 n=25'),
    ],
    [
      'parseInt(a, radix=2, endian=little, as=n)',
      events('a=0000000100000000'),
      events('a=0000000100000000 n=1'),
    ],
    ['parseInt(a, radix=10, as=n)', events('a=0042', 'a=-1'), events('a=-1', 'a=0042 n=42')],
    [
      'parseInt(a, as=n)',
      events('a=ffffffffffffffff', 'a=1fffffffffffff'),
      events('a=1fffffffffffff n=9007199254740991', 'a=ffffffffffffffff n=18446744073709551615'),
    ],
  ],
  'bitfield:extractFlags': [
    [
      `bitfield:extractFlags(field=f, output=${FLAGS})`,
      events('f=1234', 'f=-1', 'f=x', ''),
      events(
        '',
        'f=x',
        'f=-1 ZERO=true ONE=true TEN=true LAST=true',
        'f=1234 ZERO=false ONE=true TEN=true LAST=false',
      ),
    ],
    [
      `bitfield:extractFlags(field=f, onlyTrue=true, output=[[3, "Error flag"], [0, W]])`,
      events('f=8'),
      [{ f: '8', 'Error flag': 'true' }],
    ],
    [
      'bitfield:extractFlags(field=f, output=[[0, B]])',
      events('f=36893488147419103233'),
      events('f=36893488147419103233 B=true'),
    ],
  ],
  'bitfield:extractFlagsAsArray': [
    [
      `bitfield:extractFlagsAsArray(field=f, flagNames=${FLAGS})`,
      events('f=1234 _flags[0]=a _flags[1]=b _flags[2]=c', ''),
      events('', 'f=1234 _flags[0]=ONE _flags[1]=TEN'),
    ],
    [
      'bitfield:extractFlagsAsArray(field=f, flagNames=[[0, A]], asArray="n[]")',
      events('f=1', 'f=2'),
      events('f=2', 'f=1 n[0]=A'),
    ],
  ],
  'bitfield:extractFlagsAsString': [
    [
      `bitfield:extractFlagsAsString(field=f, flagNames=${FLAGS})`,
      events('f=1234', 'f=4', 'f=x'),
      [{ f: 'x' }, { f: '4', _flags: '' }, { f: '1234', _flags: 'ONE TEN' }],
    ],
    [
      `s := bitfield:extractFlagsAsString(field=f, flagNames=${FLAGS}, separator="+")`,
      events('f=1234'),
      events('f=1234 s=ONE+TEN'),
    ],
  ],
  stripAnsiCodes: [
    [
      'stripAnsiCodes()',
      [{ '@rawstring': '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\u001bMy' }],
      [{ '@rawstring': 'red xy' }],
    ],
    ['stripAnsiCodes(a, as=b)', [{ a: '\u001b[2Kx' }, { c: '1' }], [{ c: '1' }, { a: '\u001b[2Kx', b: 'x' }]],
  ],
  'json:prettyPrint': [
    [
      'json:prettyPrint(a)',
      [{ a: JSON_TEXT }, { a: '{"a":' }, {}],
      [
        {},
        { a: '{"a":' },
        {
          a: '{\n  "a": [\n    1,\n    2.50,\n    {}\n  ],\n  "b": "x, [y] \\"z\\"",\n  "c": null,\n  "d": [],\n  "e": {\n    "f": true\n  }\n}',
        },
      ],
    ],
    [
      'json:prettyPrint(step=4, as=p)',
      [{ '@rawstring': '[1]' }],
      [{ '@rawstring': '[1]', p: '[\n    1\n]' }],
    ],
    ['p := json:prettyPrint(field=a, strict=true)', events('a=x', 'a=1'), events('a=1 p=1', 'a=x')],
  ],
  'xml:prettyPrint': [
    [
      'xml:prettyPrint(a, width=20)',
      [{ a: XML_TEXT }, { a: '<a>' }, {}],
      [
        {},
        { a: '<a>' },
        {
          a: [
            '<?xml version="1.0"?>',
            '<!-- note -->',
            '<a id="x>y">',
            '  <b>text</b>',
            '  <c/>',
            '  <d>',
            '    some longer text here',
            '  </d>',
            '  <e></e>',
            '  mixed',
            '  <f>',
            '    <![CDATA[<raw>]]>',
            '  </f>',
            '</a>',
          ].join('\n'),
        },
      ],
    ],
    [
      'p := xml:prettyPrint(step=1)',
      [{ '@rawstring': '<a> <b/> </a>' }],
      [{ '@rawstring': '<a> <b/> </a>', p: '<a>\n <b/>\n</a>' }],
    ],
    ['xml:prettyPrint(a, strict=true, as=p)', events('a=x', 'a=<b/>'), events('a=<b/> p=<b/>', 'a=x')],
  ],
  writeJson: [
    [
      'writeJson(["a.b.c", "a.b.e[0]", "a.d", "a.f.g"]) | select(_json)',
      events('a.b.c=5 a.b.e[0]=6 a.d=7 a.f.g=8 x=9'),
      [{ _json: '{"a":{"b":{"c":5,"e":[6]},"d":7,"f":{"g":8}}}' }],
    ],
    [
      'j := writeJson("a.b") | select(j)',
      events('a.b.c=x a.bc=true a.b[0]=1 a.c=2'),
      [{ j: '{"a":{"b":{"c":"x"},"bc":true},"a.b[0]":1}' }],
    ],
    [
      'writeJson("a[*].n") | select(_json)',
      events('a[1].n=2 a[0].n=1 a[0].m=3'),
      [{ _json: '{"a":[{"n":1},{"n":2}]}' }],
    ],
    ['writeJson(as=j)', [{ '@rawstring': 'x"y' }], [{ '@rawstring': 'x"y', j: '{"@rawstring":"x\\"y"}' }]],
    [
      'writeJson([n, z]) | select(_json)',
      events('n=007 n2=1e5 n3=null n4=- z=1,0'),
      [{ _json: '{"n":"007","n2":1e5,"n3":null,"n4":"-","z":"1,0"}' }],
    ],
    [
      'writeJson(a) | select(_json)',
      events('a=1 a.b=2 a..c=3', 'b=1'),
      [{ _json: '{}' }, { _json: '{"a":1,"a.b":2,"a..c":3}' }],
    ],
  ],
  eventSize: [
    ['eventSize()', events('a=xyz b=é', ''), events('_eventSize=0', 'a=xyz b=é _eventSize=5')],
    ['n := eventSize()', events('a=x'), events('a=x n=1')],
  ],
  eventFieldCount: [
    ['eventFieldCount()', events('a=x #type=t @id=1'), events('a=x #type=t @id=1 _eventFieldCount=2')],
    ['eventFieldCount(as=n) | n < 1', events('#type=t', 'a=1'), events('#type=t n=0')],
  ],
  copyEvent: [
    [
      'copyEvent("audit") | case { #type=audit | x := 1; * }',
      events('a=1 #type=web'),
      events('a=1 #type=audit x=1', 'a=1 #type=web'),
    ],
    ['copyEvent(type=b)', events('a=1'), events('a=1 #type=b', 'a=1')],
  ],
  'beta:param': [
    ['beta:param(p, as=v)', events('a=1'), events('a=1 v=x'), { arguments: { p: 'x' } }],
    ['?{p=y} | v := beta:param("p")', events('a=y', 'a=z'), events('a=y v=y')],
    ['beta:param(p, as=v)', events('a=1'), events('a=1')],
  ],
  'beta:repeating': [
    ['beta:repeating(10s) | a=1', events('a=1', 'a=2'), events('a=1')],
    ['beta:repeating(10s, as=r) | a=1', events('a=1', 'a=2'), events('a=1')],
  ],
};

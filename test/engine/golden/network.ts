import type { IndicatorType, ReferenceData } from '../../../src/engine/index.ts';
import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const LOCATIONS: Readonly<Record<string, ReturnType<ReferenceData['location']>>> = {
  '192.0.2.1': { country: 'DK', city: 'Aarhus', state: '82', latitude: 56.1572, longitude: 10.2107 },
  '192.0.2.2': { country: 'GB', latitude: 51.507222, longitude: -0.1275 },
  '192.0.2.3': { country: 'SE' },
};

const INDICATORS = [
  ['ip_address', '192.0.2.1', 'high', { labels: 'Actor/X', published_date: '1' }],
  ['ip_address', '192.0.2.1', 'low', { labels: 'Malware/Y' }],
  ['ip_address', '192.0.2.2', 'unverified', {}],
  ['domain', 'bad.example', 'medium', {}],
  ['url', 'http://bad.example/x', 'high', {}],
] as const;

const known: ReferenceData = {
  location: (address) => LOCATIONS[address],
  autonomousSystem: (address) =>
    address === '192.0.2.1' ? { number: 64500, organization: 'Example Net' } : undefined,
  hostName: (address) => (address === '192.0.2.1' ? 'one.example' : undefined),
  indicators: (wanted: IndicatorType, value) =>
    INDICATORS.filter(([type, indicator]) => type === wanted && indicator === value).map(
      ([type, indicator, confidence, details]) => ({ type, indicator, confidence, details }),
    ),
};

const KNOWN = { library: { referenceData: known } };
const NETS = { library: { files: { 'nets.csv': ['net,name', '10.0.0.0/8,a', ' 192.0.2.7 ,b', 'none,c'] } } };

/** Two endpoints of a TCP connection, in both directions, with their known Community ID. */
const FLOW = { p: '6', a: '128.232.110.120', b: '66.35.250.204', x: '34855', y: '80' };
const BACK = { p: 'TCP', a: FLOW.b, b: FLOW.a, x: FLOW.y, y: FLOW.x };
const FLOW_ID = '1:LQU9qZlK+B5F3KDmev6m5PMibrg=';
const FLOW_QUERY = 'communityId(proto=p, sourceip=a, destinationip=b, sourceport=x, destinationport=y)';
const PING = { p: '1', a: '192.168.0.89', b: '192.168.0.1', t: '8', c: '0' };
const PONG = { p: 'icmp', a: PING.b, b: PING.a, t: '0', c: '0' };
const PING_ID = '1:X0snYXpgwiv9TZtqg64sgzUn6Dk=';
const PING_QUERY = 'communityId(proto=p, sourceip=a, destinationip=b, icmptype=t, icmpcode=c, as=id)';

export const networkCases: GoldenCases = {
  cidr: [
    ['cidr(a, subnet="10.0.0.0/8")', events('a=10.1.2.3', 'a=11.0.0.1', 'a=x', ''), events('a=10.1.2.3')],
    [
      'cidr(field=a, subnet=["10.0.0.0/8", "192.0.2.7", "fd00::/8"])',
      events('a=10.0.0.1', 'a=192.0.2.7', 'a=192.0.2.8', 'a=fd12::1', 'a=fe80::1'),
      events('a=fd12::1', 'a=192.0.2.7', 'a=10.0.0.1'),
    ],
    ['!cidr(a, subnet=["10.0.0.0/8"])', events('a=10.0.0.1', 'a=1.1.1.1', ''), events('', 'a=1.1.1.1')],
    ['not cidr(a, subnet=["10.0.0.0/8"])', events('a=10.0.0.1', 'a=x'), events('a=x')],
    [
      'cidr(a, subnet="10.0.0.0/8", negate=true)',
      events('a=10.0.0.1', 'a=1.1.1.1', 'a=x'),
      events('a=x', 'a=1.1.1.1'),
    ],
    ['a =~ cidr(subnet="10.0.0.0/8")', events('a=10.0.0.1', 'a=1.1.1.1'), events('a=10.0.0.1')],
    [
      'cidr(a, subnet=["0.0.0.0/0", "::/0"])',
      events('a=1.2.3.4', 'a=::1', 'a=1.2.3', 'a=1.2.3.256', 'a=01.2.3.4', 'a=1.2.3.4:80', 'a=a.b.c.d'),
      events('a=::1', 'a=1.2.3.4'),
    ],
    [
      'cidr(a, subnet=["127.0/16", "10.1.2.3/8"])',
      events('a=127.0.9.9', 'a=127.1.0.0', 'a=10.9.9.9'),
      events('a=10.9.9.9', 'a=127.0.9.9'),
    ],
    ['cidr(a, subnet="10.0.0.0/8")', events('a=::ffff:10.0.0.1', 'a=::a00:1'), events('a=::ffff:10.0.0.1')],
    [
      'cidr(a, subnet=?net)',
      events('a=10.0.0.1', 'a=1.1.1.1'),
      events('a=1.1.1.1'),
      { arguments: { net: '1.0.0.0/8' } },
    ],
    [
      'r := if(cidr(a, subnet="10.0.0.0/8"), then=in, else=out)',
      events('a=10.0.0.1 in=i out=o'),
      events('a=10.0.0.1 in=i out=o r=i'),
    ],
    [
      'cidr(a, file="nets.csv", column=net)',
      events('a=10.0.0.1', 'a=192.0.2.7', 'a=1.1.1.1'),
      events('a=192.0.2.7', 'a=10.0.0.1'),
      NETS,
    ],
    [
      'cidr(a, file="nets.csv", column=net, subnet="1.0.0.0/8")',
      events('a=10.0.0.1', 'a=1.1.1.1', 'a=2.2.2.2'),
      events('a=1.1.1.1', 'a=10.0.0.1'),
      NETS,
    ],
  ],
  subnet: [
    [
      'subnet(a, bits=16)',
      events('a=10.1.2.3', 'a=::1', 'a=x', ''),
      events('', 'a=x', 'a=::1', 'a=10.1.2.3 _subnet=10.1.0.0/16'),
    ],
    [
      'n := subnet(field=a, bits=31)',
      events('a=255.255.255.255'),
      events('a=255.255.255.255 n=255.255.255.254/31'),
    ],
    ['subnet(a, bits=0, as=n)', events('a=10.1.2.3'), events('a=10.1.2.3 n=0.0.0.0/0')],
    ['subnet(a, bits=32)', events('a=200.1.2.3'), events('a=200.1.2.3 _subnet=200.1.2.3/32')],
  ],
  ipLocation: [
    [
      'ipLocation()',
      events('ip=192.0.2.1', 'ip=192.0.2.3', 'ip=192.0.2.9', 'a=1'),
      events(
        'a=1',
        'ip=192.0.2.9',
        'ip=192.0.2.3 ip.country=SE',
        'ip=192.0.2.1 ip.country=DK ip.city=Aarhus ip.state=82 ip.lat=56.1572 ip.lon=10.2107',
      ),
      KNOWN,
    ],
    ['ipLocation(a)', events('a=192.0.2.3'), events('a=192.0.2.3 a.country=SE'), KNOWN],
    ['ipLocation(field=a, as=geo)', events('a=192.0.2.3'), events('a=192.0.2.3 geo.country=SE'), KNOWN],
    ['geo := ipLocation(a)', events('a=192.0.2.3'), events('a=192.0.2.3 geo.country=SE'), KNOWN],
    ['ipLocation()', events('ip=192.0.2.1'), events('ip=192.0.2.1')],
  ],
  asn: [
    [
      'asn()',
      events('ip=192.0.2.1', 'ip=x', ''),
      [{}, { ip: 'x' }, { ip: '192.0.2.1', 'ip.asn': '64500', 'ip.org': 'Example Net' }],
      KNOWN,
    ],
    [
      'asn(a, as=n)',
      events('a=192.0.2.1'),
      [{ a: '192.0.2.1', 'n.asn': '64500', 'n.org': 'Example Net' }],
      KNOWN,
    ],
    ['asn(a)', events('a=192.0.2.1'), events('a=192.0.2.1')],
  ],
  reverseDns: [
    [
      'reverseDns(a)',
      events('a=192.0.2.1', 'a=x', ''),
      events('', 'a=x', 'a=192.0.2.1 _hostname=one.example'),
      KNOWN,
    ],
    [
      'name := reverseDns(a, server="192.0.2.53", limit=10)',
      events('a=192.0.2.1'),
      events('a=192.0.2.1 name=one.example'),
      KNOWN,
    ],
    ['reverseDns(field=a, as=b)', events('a=192.0.2.1'), events('a=192.0.2.1')],
  ],
  'ioc:lookup': [
    [
      'ioc:lookup(a, type=ip_address)',
      events('a=192.0.2.1', 'a=192.0.2.2', ''),
      [
        {},
        { a: '192.0.2.2' },
        {
          a: '192.0.2.1',
          'ioc.detected': 'true',
          'ioc[0].indicator': '192.0.2.1',
          'ioc[0].type': 'ip_address',
          'ioc[0].malicious_confidence': 'high',
          'ioc[0].labels': 'Actor/X',
          'ioc[0].published_date': '1',
        },
      ],
      KNOWN,
    ],
    [
      'ioc:lookup(field=[a, b], type="ip_address", confidenceThreshold=Unverified, include=[indicator], prefix=x, strict=true)',
      events('a=192.0.2.2 b=192.0.2.1', 'a=1', ''),
      events(
        'a=192.0.2.2 b=192.0.2.1 x.detected=true x[0].indicator=192.0.2.2 x[1].indicator=192.0.2.1 x[2].indicator=192.0.2.1',
      ),
      KNOWN,
    ],
    [
      'ioc:lookup(d, type=domain, confidenceThreshold=medium, include=type) | ioc:lookup(u, type=url, include=type, prefix=u)',
      events('d=bad.example u=http://bad.example/x'),
      events(
        'd=bad.example u=http://bad.example/x ioc.detected=true ioc[0].type=domain u.detected=true u[0].type=url',
      ),
      KNOWN,
    ],
    ['ioc:lookup(a, type=ip_address, strict=true)', events('a=192.0.2.1'), []],
    ['ioc:lookup(a, type=ip_address)', events('a=192.0.2.1'), events('a=192.0.2.1')],
  ],
  geohash: [
    [
      'geohash()',
      events('ip.lat=51.507222 ip.lon=-0.1275', 'ip.lat=1', 'ip.lat=x ip.lon=1', 'ip.lat=91 ip.lon=1'),
      events(
        'ip.lat=91 ip.lon=1',
        'ip.lat=x ip.lon=1',
        'ip.lat=1',
        'ip.lat=51.507222 ip.lon=-0.1275 _geohash=gcpvj0e5m415',
      ),
    ],
    [
      'h := geohash(lat=a, lon=b, precision=4)',
      events('a=51.507222 b=-0.1275'),
      events('a=51.507222 b=-0.1275 h=gcpv'),
    ],
    [
      'geohash(lat=a, lon=b, precision=1, as=h)',
      events('a=90 b=180', 'a=-90 b=-180'),
      events('a=-90 b=-180 h=0', 'a=90 b=180 h=z'),
    ],
  ],
  'geography:distance': [
    [
      'd := geography:distance(lat1=a, lon1=b, lat2=c, lon2=d) | round(d)',
      events(
        'a=0 b=0 c=0 d=180',
        'a=51.507222 b=-0.1275 c=48.856667 d=2.350833',
        'a=5 b=5 c=5 d=5',
        'a=1 b=1 c=1',
      ),
      events(
        'a=1 b=1 c=1',
        'a=5 b=5 c=5 d=0',
        'a=51.507222 b=-0.1275 c=48.856667 d=343472',
        'a=0 b=0 c=0 d=20015115',
      ),
    ],
    ['geography:distance(lat1=a, lon1=a, lat2=a, lon2=a, as=x)', events('a=1'), events('a=1 x=0')],
  ],
  communityId: [
    [
      FLOW_QUERY,
      [FLOW, BACK],
      [
        { ...BACK, _community_id: FLOW_ID },
        { ...FLOW, _community_id: FLOW_ID },
      ],
    ],
    [
      PING_QUERY,
      [PING, PONG],
      [
        { ...PONG, id: PING_ID },
        { ...PING, id: PING_ID },
      ],
    ],
    [
      'communityId(proto=p, sourceip=a, destinationip=b, sourceport=t, destinationport=c, as=id)',
      [PING],
      [{ ...PING, id: PING_ID }],
    ],
    [
      FLOW_QUERY,
      events(
        'p=6 a=1.1.1.1 b=2.2.2.2 x=1 y=z',
        'p=6 a=1.1.1.1 b=::1 x=1 y=2',
        'p=nope a=1.1.1.1 b=2.2.2.2',
        '',
      ),
      events(
        '_community_id=',
        'p=nope a=1.1.1.1 b=2.2.2.2 _community_id=',
        'p=6 a=1.1.1.1 b=::1 x=1 y=2 _community_id=',
        'p=6 a=1.1.1.1 b=2.2.2.2 x=1 y=z _community_id=',
      ),
    ],
    [
      'x := communityId(proto=p, sourceip=a, destinationip=b, sourceport=x, destinationport=y, seed=1) | select(x)',
      [FLOW],
      [{ x: '1:3V71V58M3Ksw/yuFALMcW0LAHvc=' }],
    ],
  ],
  sankey: [
    [
      'sankey(source=a, target=b)',
      events('a=y b=z', 'a=x b=z', 'a=y b=z', 'a=x', 'b=z'),
      events('source=x target=z weight=1', 'source=y target=z weight=2'),
    ],
    [
      'sankey(source="a", target="b", weight=(sum(c)))',
      events('a=x b=y c=2', 'a=x b=y c=3', 'a=x b=z c=q'),
      events('source=x target=y weight=5', 'source=x target=z weight=0'),
    ],
    ['sankey(source=a, target=b, weight=max(c, as=m))', events('a=x b=y'), events('source=x target=y')],
    [
      'sankey(source=a, target=b) | weight > 1',
      events('a=1 b=1', 'a=1 b=1', 'a=2 b=1'),
      events('source=1 target=1 weight=2'),
    ],
    ['sankey(source=a, target=b)', [], []],
  ],
  worldMap: [
    [
      'worldMap(lat=a, lon=b)',
      events('a=51.507222 b=-0.1275', 'a=51.507 b=-0.127', 'a=0 b=0', 'a=x b=1', ''),
      events(
        '_geohash=gcpv latitude=51.591796875 longitude=-0.17578125 magnitude=2',
        '_geohash=s000 latitude=0.087890625 longitude=0.17578125 magnitude=1',
      ),
    ],
    [
      'worldMap(ip=i, magnitude=sum(n), precision=1)',
      events('i=192.0.2.1 n=2', 'i=192.0.2.1 n=3', 'i=192.0.2.3 n=9', 'i=x', ''),
      events('_geohash=u latitude=67.5 longitude=22.5 magnitude=5'),
      KNOWN,
    ],
    ['worldMap(ip=i)', events('i=192.0.2.1'), []],
    [
      'worldMap(i, precision=1)',
      events('i=192.0.2.1'),
      events('_geohash=u latitude=67.5 longitude=22.5 magnitude=1'),
      KNOWN,
    ],
  ],
  sample: [
    ['sample(100)', events('@timestamp=1', 'a=1'), events('@timestamp=1')],
    ['sample(percentage=0, field=a)', events('a=1'), []],
    ['sample(50, field=a)', events('a=1', 'a=2', 'a=3', 'a=1'), events('a=1', 'a=3', 'a=1')],
    ['not sample(50, field=a)', events('a=1', 'a=2', 'a=3'), events('a=2')],
  ],
  hashMatch: [
    [
      'hashRewrite(a, salt=s) | hashMatch("x", salt=s, field=a) | select(b)',
      events('a=x b=1', 'a=y b=2', 'b=3'),
      events('b=1'),
    ],
    [
      'hashRewrite(a, salt=s, hash=sha512, bits=64) | hashMatch(input="x", salt=s, hash=sha512, bits=64, field=a) | select(b)',
      events('a=x b=1', 'a=y b=2'),
      events('b=1'),
    ],
    [
      'hashRewrite(a, salt=s) | not hashMatch("x", salt=s, field=a) | select(b)',
      events('a=x b=1', 'a=y b=2'),
      events('b=2'),
    ],
    ['hashMatch("x", salt=other, field=a)', events('a=x'), []],
  ],
};

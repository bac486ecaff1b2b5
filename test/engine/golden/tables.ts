import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const library = {
  files: {
    'hosts.csv': ['host,owner,zone', 'a,ann,eu', 'b,bob,us', 'b,bea,us', 'A,amy,eu'],
    'nets.csv': ['net,name', '10.0.0.0/8,wide', '10.1.0.0/16,narrow', 'nonsense,none'],
    'globs.csv': ['pattern,kind', '*.exe,program', 'cmd.*,shell', 'readme,text', 'readme,manual'],
    'pairs.csv': ['x,y,z', '1,1,one', '1,2,two', '11,1,three'],
    'keys.json': [',color', 'sky,blue', 'grass,green'],
    'cells.csv': ['host,owner,__proto__', 'a,,p'],
  },
  repositories: { other: events('@timestamp=500 id=1 who=eve', '@timestamp=9500 id=2 who=moe') },
};

const input = events('host=a n=1', 'host=b n=2', 'host=c n=3', 'n=4');
const logins = events(
  '@timestamp=1000 kind=login id=1 user=ann',
  '@timestamp=2000 kind=login id=2 user=bob',
  '@timestamp=3000 kind=read id=1 file=x',
  '@timestamp=4000 kind=login id=1 user=amy',
  '@timestamp=5000 kind=read id=3 file=y',
  '@timestamp=6000 kind=read file=z',
);

export const tableCases: GoldenCases = {
  match: [
    [
      'match(file="hosts.csv", field=host) | sort(n, order=asc)',
      input,
      events('host=a n=1 owner=ann zone=eu', 'host=b n=2 owner=bea zone=us'),
      { library },
    ],
    ['match(hosts.csv, field=host, include=[]) | select(n)', input, events('n=2', 'n=1'), { library }],
    [
      'match(table="hosts.csv", field=[host], column=host, include=owner, strict=false) | select([n, owner])',
      input,
      events('n=4', 'n=3', 'n=2 owner=bea', 'n=1 owner=ann'),
      { library },
    ],
    [
      'match(file="hosts.csv", field=host, ignoreCase=true, include=[owner]) | select(owner)',
      events('host=a', 'host=B'),
      events('owner=bea', 'owner=amy'),
      { library },
    ],
    ['!match(file="hosts.csv", field=host) | select(n)', input, events('n=4', 'n=3'), { library }],
    [
      '!match(file="hosts.csv", field=host, strict=false) | select(n)',
      input,
      events('n=4', 'n=3'),
      { library },
    ],
    [
      'match(file="hosts.csv", field=host, include=[], strict=false) | count()',
      input,
      events('_count=4'),
      { library },
    ],
    ['not match(file="hosts.csv", field=host) | select(n)', input, events('n=4', 'n=3'), { library }],
    [
      'host =~ match(file="hosts.csv", include=zone) | select(zone)',
      input,
      events('zone=us', 'zone=eu'),
      { library },
    ],
    ['host =~ !match(file="hosts.csv") | select(n)', input, events('n=4', 'n=3'), { library }],
    [
      'id = match(file="hosts.csv", column=host, include=owner)',
      events('id=a'),
      events('id=a owner=ann'),
      { library },
    ],
    [
      'match(file="hosts.csv", field=host, nrows=max, include=owner) | select([host, owner])',
      events('host=b'),
      events('host=b owner=bea', 'host=b owner=bob'),
      { library },
    ],
    [
      'match(file="hosts.csv", field=host, nrows=2, strict=false, include=owner) | select(owner)',
      events('host=b', 'host=c'),
      [{}, ...events('owner=bea', 'owner=bob')],
      { library },
    ],
    [
      'match(file="hosts.csv", field=zone, column=zone, nrows=1, include=owner)',
      events('zone=us'),
      events('zone=us owner=bea'),
      { library },
    ],
    [
      'match(file="nets.csv", field=ip, column=net, mode=cidr, include=name) | select(name)',
      events('ip=10.1.2.3', 'ip=10.2.0.0', 'ip=11.0.0.1', 'ip=nonsense', 'x=1'),
      events('name=wide', 'name=narrow'),
      { library },
    ],
    [
      'match(file="globs.csv", field=f, column=pattern, mode=glob, include=kind) | select(kind)',
      events('f=cmd.exe', 'f=a.exe', 'f=readme', 'f=READMENOT', 'f=a.exe'),
      events('kind=program', 'kind=manual', 'kind=program', 'kind=shell'),
      { library },
    ],
    [
      'match(file="globs.csv", field=f, column=pattern, mode=glob, nrows=max, include=kind) | select(kind)',
      events('f=cmd.exe', 'f=readme'),
      events('kind=manual', 'kind=text', 'kind=shell', 'kind=program'),
      { library },
    ],
    [
      'match(file="globs.csv", field=f, column=pattern, glob=true, ignoreCase=true, include=kind) | select(kind)',
      events('f=A.EXE'),
      events('kind=program'),
      { library },
    ],
    [
      'match(file="pairs.csv", field=[a, b], column=[x, y], include=z) | select(z)',
      events('a=1 b=2', 'a=11 b=1', 'a=1 b=11', 'a=1'),
      events('z=three', 'z=two'),
      { library },
    ],
    [
      'match(file="keys.json", field=thing)',
      events('thing=sky', 'thing=x'),
      events('thing=sky color=blue'),
      { library },
    ],
    [
      'match(file="cells.csv", field=host) | select([owner, __proto__])',
      events('host=a owner=x'),
      [JSON.parse('{"owner":"","__proto__":"p"}')],
      { library },
    ],
    [
      'case { match(file="hosts.csv", field=host, include=owner); * | owner := "nobody" } | select(owner)',
      input,
      events('owner=nobody', 'owner=nobody', 'owner=bea', 'owner=ann'),
      { library },
    ],
    [
      'host match { match(file="hosts.csv", include=zone) => x := 1; * => x := 2 } | select([x, zone])',
      input,
      events('x=2', 'x=2', 'x=1 zone=us', 'x=1 zone=eu'),
      { library },
    ],
    [
      'match(file="hosts.csv", field=host, include=[]) or n=4 | select(n)',
      input,
      events('n=4', 'n=2', 'n=1'),
      { library },
    ],
    [
      'groupBy(zone, function={ match(file="hosts.csv", field=host, include=owner) | count(owner) })',
      events('zone=1 host=a', 'zone=1 host=x', 'zone=2 host=b'),
      events('zone=1 _count=1', 'zone=2 _count=1'),
      { library },
    ],
    [
      'defineTable(query={kind=login}, name="hosts.csv", include=[id, user]) | kind=read | match(table="hosts.csv", field=id) | select([file, user])',
      logins,
      events('file=x user=amy'),
      { library },
    ],
  ],
  lookup: [
    [
      'lookup(file="hosts.csv", field=host, include=[owner]) | select([n, owner])',
      input,
      events('n=4', 'n=3', 'n=2 owner=bea', 'n=1 owner=ann'),
      { library },
    ],
    [
      'lookup("hosts.csv", field=h, column=host, include=zone)',
      events('h=a'),
      events('h=a zone=eu'),
      { library },
    ],
  ],
  matchAsArray: [
    [
      'matchAsArray(file="hosts.csv", field=host, nrows=5, include=[owner, zone], asArray=r)',
      events('host=b', 'host=z'),
      events('host=b r[0].owner=bob r[0].zone=us r[1].owner=bea r[1].zone=us'),
      { library },
    ],
    [
      'matchAsArray(file="hosts.csv", field=h, column=host, nrows=1, include=owner, strict=false)',
      events('h=b', 'h=z'),
      events('h=z', 'h=b _matchAsArray[0].owner=bea'),
      { library },
    ],
    [
      'matchAsArray(file="hosts.csv", field=host, nrows=max, include=owner, ignoreCase=true, asArray="r[]")',
      events('host=a'),
      events('host=a r[0].owner=ann r[1].owner=amy'),
      { library },
    ],
  ],
  readFile: [
    [
      'readFile("hosts.csv")',
      events('x=1'),
      events(
        'host=a owner=ann zone=eu',
        'host=b owner=bob zone=us',
        'host=b owner=bea zone=us',
        'host=A owner=amy zone=eu',
      ),
      { library },
    ],
    ['readFile(hosts.csv, include=[owner], limit=2)', [], events('owner=ann', 'owner=bob'), { library }],
    [
      'readFile(file=["pairs.csv", "keys.json"], include=[z, color], limit=4)',
      [],
      events('z=one', 'z=two', 'z=three', 'color=blue'),
      { library },
    ],
    ['readFile(["hosts.csv"], include="*") | zone=eu | count()', [], events('_count=2'), { library }],
    [
      'defineTable(query={kind=login}, name=users, include=user) | readFile(table=users)',
      logins,
      events('user=ann', 'user=bob', 'user=amy'),
    ],
    [
      'defineTable(query={kind=login}, name=users, include=[*]) | readFile([users], limit=1)',
      logins,
      events('@timestamp=1000 kind=login id=1 user=ann'),
    ],
  ],
  defineTable: [
    [
      'defineTable(query={groupBy(id, function=count(as=n))}, name=t, include=[id, n]) | kind=login | match(t, field=id) | select([user, n])',
      logins,
      events('user=amy n=3', 'user=bob n=1', 'user=ann n=3'),
    ],
    [
      'defineTable(query={kind=login}, name=a, include=[id]) | defineTable(query={kind=read | match(a, field=id)}, name=b, include=file) | readFile(b)',
      logins,
      events('file=x'),
    ],
    [
      'defineTable(query={*}, name=t, include=user, start=8s, end=7s) | readFile(t)',
      logins,
      [{ user: 'bob' }, {}],
      { start: 5000, end: 10_000 },
    ],
    [
      'defineTable({*}, name=t, include=who, view=other) | readFile(t)',
      logins,
      events('who=eve', 'who=moe'),
      { library },
    ],
    [
      'defineTable(query={createEvents(["name=x,ph=1", "name=y,ph=2"]) | kvParse()}, name=t, include=[name, ph]) | readFile("t")',
      logins,
      events('name=x ph=1', 'name=y ph=2'),
    ],
    [
      'setTimeInterval(start=4s) | defineTable(query={count()}, name=t, include=_count) | readFile(t)',
      logins,
      events('_count=1'),
    ],
  ],
  join: [
    [
      'kind=read | join(query={kind=login}, field=id, include=user) | select([file, user])',
      logins,
      events('file=x user=amy'),
    ],
    [
      'kind=read | join({kind=login}, field=id, include=[user], mode=left) | select([file, user])',
      logins,
      events('file=z', 'file=y', 'file=x user=amy'),
    ],
    ['kind=read | join({kind=login}, field=id) | select(file)', logins, events('file=x')],
    [
      'kind=read | !join({kind=login}, field=id, mode=left) | select(file)',
      logins,
      events('file=z', 'file=y'),
    ],
    ['kind=read | join({kind=login}, field=id, mode=left) | count()', logins, events('_count=3')],
    ['kind=read | !join({kind=login}, field=id) | select(file)', logins, events('file=z', 'file=y')],
    [
      'kind=read | me := id | join({kind=login}, field=me, key=id, include=user, max=5) | select(user)',
      logins,
      events('user=ann', 'user=amy'),
    ],
    [
      'kind=read | join({kind=login}, field=id, include=user, limit=2, max=5) | select(user)',
      logins,
      events('user=amy'),
    ],
    [
      'kind=read | join({kind=login}, field=id, include=[nope]) | select([file, nope])',
      logins,
      [{ file: 'x', nope: '' }],
    ],
    [
      'kind=read | join({kind=login | groupBy(id, function=count(as=logins))}, field=id, include=logins) | select([file, logins])',
      logins,
      events('file=x logins=2'),
    ],
    [
      'kind=read | join({kind=login | sort(user, order=asc)}, field=id, include=user) | select(user)',
      logins,
      events('user=amy'),
    ],
    [
      'kind=read | join({kind=login}, field=id, include=user, start=10s, end=8s) | select(user)',
      logins,
      events('user=ann'),
    ],
    [
      'kind=login | join({*}, field=id, include=who, repo=other) | select([user, who])',
      logins,
      events('user=amy who=eve', 'user=bob who=moe', 'user=ann who=eve'),
      { library },
    ],
    [
      'kind=login | join({*}, field=id, include=who, view=other, start=1s, live=true) | select(who)',
      logins,
      events('who=moe'),
      { library },
    ],
    [
      'kind=login | join({kind=read | join({kind=login user=amy}, field=id, include=user)}, field=id, include=[file, user]) | select([user, file])',
      logins,
      events('user=amy file=x', 'user=amy file=x'),
    ],
    [
      'kind=read | join({selfJoinFilter(id, where=[{kind=login}, {kind=read}])}, field=id) | select(file)',
      logins,
      events('file=x'),
    ],
    [
      'kind=read | join({kind=login}, field=[id], include="*") | select([kind, user])',
      logins,
      events('kind=login user=amy'),
    ],
    [
      'groupBy(id) | join({kind=login}, field=id, include=user)',
      logins,
      events('id=1 _count=3 user=amy', 'id=2 _count=1 user=bob'),
    ],
  ],
  selfJoinFilter: [
    [
      'selfJoinFilter(field=id, where=[{kind=login}, {kind=read}]) | select([kind, id])',
      logins,
      events('kind=login id=1', 'kind=read id=1', 'kind=login id=1'),
    ],
    [
      'selfJoinFilter([id], where=[{kind=login user=ann}, {kind=read}], prefilter=true) | select([kind, user])',
      logins,
      events('kind=read', 'kind=login user=ann'),
    ],
    [
      'key := id | key != 3 | selfJoinFilter([kind, key], where=[{user=a*}, {user=amy}]) | select(user)',
      logins,
      events('user=amy', 'user=ann'),
    ],
    [
      'selfJoinFilter(id, where=[in(kind, values=[login])]) | selfJoinFilter(id, where={file=x}) | count()',
      logins,
      events('_count=3'),
    ],
    [
      'groupBy([id, kind]) | selfJoinFilter(id, where=[{kind=login}, {kind=read}])',
      logins,
      events('id=1 kind=login _count=2', 'id=1 kind=read _count=1'),
    ],
  ],
  selfJoin: [
    [
      'selfJoin(field=id, where=[{kind=login}, {kind=read}], collect=[user, kind], select=[file])',
      logins,
      [{ id: '1', user: 'ann\namy', kind: 'login\nread', file: 'x' }],
    ],
    ['selfJoin([id], where={kind=login}, limit=1)', logins, events('id=1')],
    [
      'selfJoin(id, where=[{user=ann}, {kind=read}], select=user, prefilter=true, postfilter=true)',
      logins,
      events('id=1 user=ann'),
    ],
  ],
  setTimeInterval: [
    [
      'setTimeInterval(start=1h, end=0h) | createEvents("x") | a := start() | b := end() | select([a, b])',
      [],
      events('a=4000 b=3604000'),
      { now: 3_604_000 },
    ],
    [
      'setTimeInterval("1d@d", timezone="+01:00") | createEvents("x") | a := start() | select(a)',
      [],
      events(`a=${Date.UTC(2026, 0, 1, 23)}`),
      { now: Date.UTC(2026, 0, 3, 12) },
    ],
  ],
};

import { describe, expect, it } from 'vitest';
import { readStack } from '../../src/core/records/stack.ts';
import { EDITORS, editorLink } from '../../src/page/detail/editor-link.ts';

/** A section as text: its title, then its frames, those of libraries in parentheses. */
function outline(text: string): string[] {
  return readStack(text).map(({ title, frames }) =>
    [title, ...frames.map((frame) => (frame.isForeign ? `(${frame.text})` : frame.text))].join('\n'),
  );
}

describe('Sections of a stack', () => {
  it('the cause of an error that pino logs has a title and frames of its own', () => {
    const stack = [
      'Error: checkout failed',
      '    at checkout (/srv/shop/checkout.js:10:11)',
      '    at next (/srv/shop/node_modules/express/router.js:1:1)',
      'caused by: Error: connect ECONNREFUSED 127.0.0.1:5432',
      '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)',
    ].join('\n');
    expect(outline(stack)).toEqual([
      'Error: checkout failed\nat checkout (/srv/shop/checkout.js:10:11)\n(at next (/srv/shop/node_modules/express/router.js:1:1))',
      'caused by: Error: connect ECONNREFUSED 127.0.0.1:5432\n(at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16))',
    ]);
  });

  it('the cause of an error that Node.js prints has a title, without the braces', () => {
    const stack =
      "Error: a\n    at x (/srv/x.js:1:2) {\n  code: 'E',\n  [cause]: Error: b\n      at y (/srv/y.js:1:2)\n}";
    expect(readStack(stack).map(({ title }) => title)).toEqual([
      'Error: a',
      "  code: 'E',\n  [cause]: Error: b",
    ]);
    expect(readStack(stack)[0]!.frames[0]!.place?.path).toBe('/srv/x.js');
  });

  it('frames of Python have their line of the program, those of its libraries are folded', () => {
    const stack = [
      'Traceback (most recent call last):',
      '  File "/app/main.py", line 12, in main',
      '    charge(order)',
      '    ~~~~~~^^^^^^^',
      '  File "/usr/lib/python3.11/site-packages/requests/api.py", line 59, in get',
      '    return request("get", url)',
      'ValueError: no card',
    ].join('\n');
    const [traceback, error] = readStack(stack);
    expect(traceback!.frames.map(({ isForeign }) => isForeign)).toEqual([false, true]);
    expect(traceback!.frames[0]).toMatchObject({
      source: 'charge(order)\n',
      place: { path: '/app/main.py', line: 12 },
    });
    expect(error).toEqual({ title: 'ValueError: no card', frames: [] });
  });

  it('frames of the Java runtime and of well-known frameworks are folded, causes are not', () => {
    const stack = [
      'java.lang.IllegalStateException: no stock',
      '\tat com.example.Shop.buy(Shop.java:12)',
      '\tat org.springframework.web.Servlet.run(Servlet.java:1)',
      '\tat java.base/java.lang.Thread.run(Thread.java:833)',
      'Caused by: java.io.IOException: closed',
      '\t... 23 more',
    ].join('\n');
    expect(outline(stack)).toEqual([
      'java.lang.IllegalStateException: no stock\nat com.example.Shop.buy(Shop.java:12)\n(at org.springframework.web.Servlet.run(Servlet.java:1))\n(at java.base/java.lang.Thread.run(Thread.java:833))',
      'Caused by: java.io.IOException: closed\n... 23 more',
    ]);
  });

  it('a frame of Go is a function and its place, which opens in an editor, and text that only looks like one is not', () => {
    const [section] = readStack('goroutine 1 [running]:\nmain.main()\n\t/app/my shop/main.go:8 +0x25');
    expect(section!.frames).toEqual([
      {
        text: 'main.main() /app/my shop/main.go:8 +0x25',
        place: { text: '/app/my shop/main.go', path: '/app/my shop/main.go', line: 8, column: 1 },
        source: '',
        isForeign: false,
      },
    ]);
    const test = '--- FAIL: TestBuy\n\tbuy_test.go:12: got 1';
    expect(readStack(test)).toEqual([{ title: test, frames: [] }]);
  });

  it('no line of a text is lost, except blank lines and braces', () => {
    const text = 'one\ntwo\n    at f (/a.js:1:1)\nthree\nfour\n    at g (/b.js:1:1)\n}\n\nfive';
    expect(outline(text).join('\n').split('\n')).toEqual([
      'one',
      'two',
      'at f (/a.js:1:1)',
      'three',
      'four',
      'at g (/b.js:1:1)',
      'five',
    ]);
  });
});

function placeIn(frame: string) {
  return readStack(`Error\n    ${frame}`)[0]!.frames[0]?.place;
}

describe('Places of frames', () => {
  it.each([
    ['at f (/srv/a.js:1:2)', '/srv/a.js'],
    ['at /srv/a.js:1:2', '/srv/a.js'],
    ['at async /srv/a.js:1:2', '/srv/a.js'],
    ['at async Page (/srv/app/(shop)/page.tsx:1:2)', '/srv/app/(shop)/page.tsx'],
    ['at f (file:///srv/my%20app/a.js:1:2)', '/srv/my app/a.js'],
    ['at f (C:\\srv\\a.js:1:2)', 'C:\\srv\\a.js'],
    ['at f (file:///C:/srv/a.js:1:2)', 'C:/srv/a.js'],
    ['at f (/srv/what?.js#1:1:2)', '/srv/what?.js#1'],
  ])('%s is in %s', (frame, path) => {
    expect(placeIn(frame)).toMatchObject({ path, line: 1, column: 2 });
  });

  it.each([
    'at f (node:internal/process:1:2)',
    'at f (http://localhost:3000/a.js:1:2)',
    'at http://localhost:3000/a.js:1:2',
    'at f (webpack:///./src/a.js:1:2)',
    'at f (webpack-internal:///./a.js:1:2)',
    'at f (//host/share/a.js:1:2)',
    'at f (/\\host\\share\\a.js:1:2)',
    'at f (\\\\host\\share\\a.js:1:2)',
    'at f (file://host/share/a.js:1:2)',
    'at f (file:////host/share/a.js:1:2)',
    'at f (file:///%2Fhost/a.js:1:2)',
    'at f (src/a.js:1:2)',
    'at f (javascript:alert(1):1:2)',
    'at new Promise (<anonymous>)',
    'at eval (eval at f (/srv/a.js:1:2), <anonymous>:1:1)',
  ])('%s has no place on this machine', (frame) => {
    expect(placeIn(frame)).toBeUndefined();
  });
});

describe('editorLink()', () => {
  const place = { text: '', path: '/app/a b/(c)?x#y.ts', line: 3, column: 9 };
  const mapping = { from: '/app/', to: '/home/me/shop' };

  it.each([
    ['VS Code', 'vscode://file/home/me/shop/a%20b/(c)%3Fx%23y.ts:3:9'],
    ['Cursor', 'cursor://file/home/me/shop/a%20b/(c)%3Fx%23y.ts:3:9'],
    ['Zed', 'zed://file/home/me/shop/a%20b/(c)%3Fx%23y.ts:3:9'],
    ['JetBrains', 'idea://open?file=%2Fhome%2Fme%2Fshop%2Fa%20b%2F(c)%3Fx%23y.ts&line=3&column=9'],
  ] as const)('opens %s', (editor, link) => {
    expect(editorLink(place, editor, mapping)).toBe(link);
    expect(EDITORS).toContain(editor);
  });

  it('replaces a path only at a slash, and opens files of Windows', () => {
    expect(editorLink({ ...place, path: '/application/a.ts' }, 'VS Code', mapping)).toBe(
      'vscode://file/application/a.ts:3:9',
    );
    expect(editorLink({ ...place, path: 'C:\\srv\\a.ts' }, 'VS Code', { from: '', to: '' })).toBe(
      'vscode://file/C:/srv/a.ts:3:9',
    );
  });
});

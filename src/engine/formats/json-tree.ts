/** Deeper paths become a single key, to protect the stack. */
const MAX_DEPTH = 100;

const FIRST_KEY = /[^.[]+/y;
const NEXT_KEY = /\.([^.[]+)|\[(0|[1-9]\d{0,8})\]/y;
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

type Key = string | number;
type Tree = string | Branch;

interface Branch {
  readonly isArray: boolean;
  readonly children: Map<Key, Tree>;
}

/**
 * Builds JSON from fields with names such as `a.b[0].c`. Numbers, booleans and null are written as such.
 *
 * A name that conflicts with another, such as `a.b` beside a value in `a`, becomes a key as a whole. Array elements are
 * ordered by index, without gaps.
 */
export function writeJsonTree(fields: Iterable<readonly [name: string, value: string]>): string {
  const root: Branch = { isArray: false, children: new Map() };
  for (const [name, value] of fields) {
    if (!insert(root, splitPath(name), value)) root.children.set(name, value);
  }
  return writeTree(root);
}

/** `['a', 'b', 0, 'c']`; the name itself if it is not a path. */
function splitPath(name: string): readonly Key[] {
  FIRST_KEY.lastIndex = 0;
  const path: Key[] = FIRST_KEY.exec(name) ?? [];
  let position = path.length === 0 ? 0 : FIRST_KEY.lastIndex;
  while (position < name.length && path.length > 0 && path.length < MAX_DEPTH) {
    NEXT_KEY.lastIndex = position;
    const match = NEXT_KEY.exec(name);
    if (match === null) break;
    path.push(match[1] ?? Number(match[2]));
    position = NEXT_KEY.lastIndex;
  }
  return position === name.length ? path : [name];
}

/** @returns false if the path conflicts with an existing one. */
function insert(root: Branch, path: readonly Key[], value: string): boolean {
  let branch = root;
  for (const [depth, key] of path.entries()) {
    if (branch.isArray !== (typeof key === 'number')) return false;
    const known = branch.children.get(key);
    const next = path[depth + 1];
    if (next === undefined) {
      if (known === undefined) branch.children.set(key, value);
      return known === undefined;
    }
    const child = known ?? { isArray: typeof next === 'number', children: new Map() };
    if (typeof child === 'string') return false;
    branch.children.set(key, child);
    branch = child;
  }
  return false;
}

function writeTree(tree: Tree): string {
  if (typeof tree === 'string') return LITERAL.test(tree) ? tree : JSON.stringify(tree);
  if (tree.isArray) {
    const elements = [...tree.children].sort(([a], [b]) => Number(a) - Number(b));
    return `[${elements.map(([, child]) => writeTree(child)).join(',')}]`;
  }
  const members = [...tree.children].map(([key, child]) => `${JSON.stringify(key)}:${writeTree(child)}`);
  return `{${members.join(',')}}`;
}

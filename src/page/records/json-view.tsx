import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../widgets/button.tsx';
import { CutText } from './cut-text.tsx';
import { blockText, lineText } from './visible-text.ts';

/** A number that JavaScript can't represent, as it was written. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Keeps the digits in JSON, where the browser can. */
  toJSON(): unknown {
    return (JSON as { rawJSON?: (text: string) => unknown }).rawJSON?.(this.source) ?? Number(this.source);
  }
}

export type Json =
  | string
  | number
  | boolean
  | null
  | ExactNumber
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Parses JSON and keeps the digits of large numbers. @throws SyntaxError */
export function parseJson(text: string): Json {
  const reviver = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && String(value) !== source
      ? new ExactNumber(source)
      : value;
  };
  return JSON.parse(text, reviver) as Json;
}

const MEMBERS_AT_ONCE = 100;
const OPEN_DEPTH = 4;
const CUT_LENGTH = 2000;

/** JSON as a tree whose branches can be closed. */
export function JsonView({ value }: { value: Json }): JSX.Element {
  return (
    <div class="json">
      <JsonValue value={value} depth={0} />
    </div>
  );
}

function JsonValue({ value, depth }: { value: Json; depth: number }): JSX.Element {
  if (value instanceof ExactNumber) return <span class="json-number">{lineText(value.source)}</span>;
  if (typeof value === 'string')
    return (
      <CutText text={value} length={CUT_LENGTH}>
        {(length) => <bdi class="json-string">&quot;{blockText(value, length)}&quot;</bdi>}
      </CutText>
    );
  if (typeof value === 'object' && value !== null) return <JsonBranch value={value} depth={depth} />;
  return <span class={value === null ? 'dim' : `json-${typeof value}`}>{String(value)}</span>;
}

function JsonBranch({ value, depth }: { value: object; depth: number }): JSX.Element {
  const isList = Array.isArray(value);
  const members = Object.entries(value) as [string, Json][];
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH);
  const [limit, setLimit] = useState(MEMBERS_AT_ONCE);
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return <span>{`${open}${close}`}</span>;
  return (
    <>
      <Button class="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {open}
        {!isOpen && <span class="dim">{` ${members.length} `}</span>}
        {!isOpen && close}
      </Button>
      {isOpen && (
        <div class="json-members">
          {members.slice(0, limit).map(([name, member]) => (
            <div key={name}>
              {!isList && <bdi class="json-name">{lineText(name, 200)}</bdi>}
              {!isList && ': '}
              <JsonValue value={member} depth={depth + 1} />
            </div>
          ))}
          {members.length > limit && (
            <Button class="link" onClick={() => setLimit(limit + 10 * MEMBERS_AT_ONCE)}>
              {members.length - limit} more
            </Button>
          )}
        </div>
      )}
      {isOpen && <span>{close}</span>}
    </>
  );
}

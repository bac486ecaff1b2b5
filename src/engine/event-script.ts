import { type PipelineNode, parse, type Span, walk } from '../language/index.ts';
import { compileQuery } from './compiler/compile.ts';
import type { Fields } from './event.ts';
import { findFunction } from './functions/registry.ts';
import { QueryError } from './query-error.ts';
import type { LookupTable, QueryLibrary } from './query-library.ts';
import type { RunContext } from './run/run-context.ts';
import { SIMPLIFY } from './run/search-budget.ts';
import { finish } from './run/sliced-sort.ts';

/** A query that runs on one event at a time, such as a parser. Immutable. */
export interface EventScript {
  /**
   * Starts the script for events that arrive at `now`. The returned function maps an event to none, one or several
   * events: it may return the event itself, but never changes it.
   */
  start(now: number): (event: Fields) => readonly Fields[];
  /** The lookup files it uses, as of compilation. */
  readonly files: ReadonlyMap<string, LookupTable>;
}

/** One event became more events than the script may create, or left a regular expression undecided. */
export class EventScriptError extends Error {}

/**
 * Compiles a script. Free text in it searches the event as it is at that step.
 *
 * @param maxEvents maximum number of events that one event may become.
 * @throws QuerySyntaxError if it can't be parsed.
 * @throws QueryError if it can't run on a single event.
 */
export function compileEventScript(source: string, library: QueryLibrary, maxEvents: number): EventScript {
  const tree = parse(source);
  refuseCalls(source, tree);
  const plan = compileQuery(source, { library });
  if (plan.isAggregate || plan.looksAhead) refuseAggregate(source, tree);
  const context: RunContext = { start: 0, end: 0, now: 0, timeZone: 'UTC', isParser: true };
  const read = (): never => {
    throw new QueryError(`A parser can't read other events`, source, tree.span);
  };
  // Loads lookup files once.
  const prepared = plan.needsPreparation ? finish(plan.prepare(context, { read })) : context;
  return {
    start(now) {
      let made: Fields[] = [];
      const stream = plan.openStream({ ...prepared, start: now, end: now, now }, (row) => {
        if (made.length >= maxEvents)
          throw new EventScriptError(`It creates more than ${maxEvents} events from one`);
        made.push(row);
      });
      return (event) => {
        made = [];
        stream.push(event);
        // An event that a filter drops because it is undecided would be lost.
        for (const name of stream.undecided.keys())
          throw new EventScriptError(`The regular expression ${name} needs too many steps. ${SIMPLIFY}`);
        return made;
      };
    },
    files: plan.files,
  };
}

function refuseCalls(source: string, tree: PipelineNode): void {
  walk(tree, {
    Call({ name, nameSpan }) {
      const refuse = (why: string): never => {
        throw new QueryError(`${name}() can't be used in a parser: ${why}`, source, nameSpan);
      };
      if (/^(?:start|end)$/i.test(name)) refuse('a parser has no search interval');
      // Aggregates are rejected where they are steps.
      const needsOthers = /^(?:join|selfJoinFilter)$/i.test(name);
      if (needsOthers || findFunction(name)?.kind === 'definition') refuse(ONE_EVENT);
    },
  });
}

/** Fails at the first aggregate, ignoring aggregates in arguments. */
function refuseAggregate(source: string, tree: PipelineNode): never {
  let guilty: { readonly name: string; readonly span: Span } | undefined;
  walk(tree, {
    Call({ name, nameSpan: span }) {
      if (findFunction(name)?.kind === 'aggregate') guilty ??= { name: `${name}()`, span };
      return false;
    },
    Stats({ span }) {
      guilty ??= { name: 'An array of aggregates', span };
    },
  });
  const { name, span } = guilty ?? { name: 'This', span: tree.span };
  throw new QueryError(`${name} can't be used in a parser: ${ONE_EVENT}`, source, span);
}

const ONE_EVENT = 'it sees one event at a time';

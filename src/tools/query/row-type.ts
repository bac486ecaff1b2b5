import { resultFields } from '../../language/index.ts';

/** Characters that people don't see or that change how others look; in code, escape sequences stand for them. */
const HIDDEN = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The members of the TypeScript type of a query's rows. `undefined`: rows can have any field, as events do. */
export function rowMembers(query: string): readonly string[] | undefined {
  const fields = resultFields(query);
  return (
    fields &&
    Array.from(fields, ([name, { isNumber, isSure }]) => {
      // The time of an event is a number, unless the query has changed it.
      const type = isNumber ? 'number' : name === '@timestamp' ? 'number | string' : 'string';
      return memberCode(name, type, !isSure);
    })
  );
}

/** A member of a type, in the default form of Prettier. */
export function memberCode(name: string, type: string, isOptional: boolean): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringCode(name);
  return `readonly ${key}${isOptional ? '?' : ''}: ${type};`;
}

/** A string literal with the quotes that need fewer escapes. */
export function stringCode(text: string): string {
  const quote = text.split('"').length > text.split("'").length ? "'" : '"';
  return quote + visibleCode(text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)) + quote;
}

/** A template literal, in which lines of the text are lines. */
export function templateCode(text: string): string {
  const lines = text.replace(/[\\`]|\$(?=\{)/g, '\\$&').split('\n');
  return `\`${lines.map(visibleCode).join('\n')}\``;
}

/** Text with escape sequences for characters that are not visible. */
export function visibleCode(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** Parser templates and their tests, for the GraphQL API and the command line. */

export { type LibraryTexts, textLibrary } from '../queries/text-library.ts';
export { type LocatedParserTemplate, printParserTemplate, readParserTemplate } from './parser-template.ts';
export { runParserTests } from './run-parser-tests.ts';
export { YamlError, YamlValue } from './yaml-document.ts';

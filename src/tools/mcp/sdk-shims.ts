/**
 * What the MCP SDK needs of its platform. The build uses it instead of the SDK's own, which contains Ajv, 270 kB that check
 * forms filled in by users. This server has none.
 */

export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server has no forms.');
  }
}

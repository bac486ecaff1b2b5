/** A call that a tool can't answer. The message is for the agent, and says what to do instead. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

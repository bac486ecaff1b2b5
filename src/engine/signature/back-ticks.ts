/** ``user.`e-mail`[0]`` is the field `user.e-mail[0]`: backticks around a member are not part of its name. */
export function withoutBackTicks(name: string): string {
  return name.includes('`') ? name.replace(/(?<=\.)`([^`\r\n]+)`/g, '$1') : name;
}

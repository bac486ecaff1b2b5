/** ``user.`e-mail`[0]`` is the field `user.e-mail[0]`: back-ticks around a member are not a part of its name. */
export function withoutBackTicks(name: string): string {
  return name.includes('`') ? name.replace(/(?<=\.)`([^`\r\n]+)`/g, '$1') : name;
}

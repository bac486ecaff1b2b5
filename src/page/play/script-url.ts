interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

interface Policy {
  createScriptURL(url: string): unknown;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('logclient-play', { createScriptURL: (url) => url });

/** An address that the content security policy accepts for a worker, where browsers check that. */
export function scriptUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}

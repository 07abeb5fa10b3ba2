/** What the runner says about a storage it started: where it listens, and the secrets it made for this run. */
export interface PeerAddress {
  readonly url: string;
  readonly [secret: string]: string;
}

/** Set by run.mjs. */
export function peer(name: string): PeerAddress {
  const peers = JSON.parse(process.env.PEERS ?? '{}') as Record<string, PeerAddress>;
  const found = peers[name];
  if (found === undefined) throw new Error(`No ${name} to test against: start these tests with "npm run test:peers".`);
  return found;
}

/** Reads an object back without the library. */
export async function get(url: string, headers: Record<string, string> = {}): Promise<Uint8Array> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`GET answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A path with a name of any letters in it. */
export function encodeName(name: string): string {
  return encodeURIComponent(name);
}

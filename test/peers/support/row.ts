import { describe, expect, test } from 'vitest';
import { FILES, sha256, type TestFile } from './files.js';
import { ENGINES, type EngineKind, send, type WireTarget } from './send.js';

/** One line of the table at the end of a run. */
export interface Row {
  /** The row of docs/targets.md. */
  readonly name: string;
  readonly kind: 'real peer' | 'official signer, stand-in' | 'stand-in';
  readonly peer: string;
}

/** The runner takes the title apart again. */
export function row({ name, kind, peer }: Row, tests: () => void): void {
  describe(`${name} | ${kind}: ${peer}`, tests);
}

/** A target for one file, and the way to what the storage has of it afterwards. */
export interface Prepared {
  readonly wire: WireTarget;
  readonly status: number;
  stored(): Promise<Uint8Array>;
}

/** Every file through both engines: the status, and the stored bytes as the storage itself gives them back. */
export function stores(
  prepare: (file: TestFile, kind: EngineKind) => Promise<Prepared>,
  files: readonly TestFile[] = FILES,
  engines: readonly EngineKind[] = ENGINES,
): void {
  for (const kind of engines) {
    for (const file of files) {
      test(`stores ${file.label} (${kind} engine)`, async () => {
        const { wire, status, stored } = await prepare(file, kind);
        const receipt = await send(wire, file, kind);
        expect(receipt).toMatchObject({ status, bytes: file.bytes.byteLength });
        expect(sha256(await stored())).toBe(sha256(file.bytes));
      });
    }
  }
}

import { rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallOptions,
  type FileSource,
  type FilesClientOptions,
  type FilesErrorCode,
  fromBytes,
  type ToolCall,
} from '../../src/index.js';
import type { Connected, Flavour } from '../support/clients.js';
import { done, inputRequired, type Script, uploadEntry } from '../support/scripted-server.js';
import { Secrets } from './secrets.js';

export type EngineKind = 'built-in' | 'fetch';
export type Json = Record<string, any>;
type StoreRequest = Parameters<NonNullable<Script['onStore']>>[0];

/** A scenario: a server that plays a part, and a host with some secrets of its own. */
export interface Scenario {
  readonly name: string;
  /** `completes`: with a result; `server's own`: with an error of the SDK's, whose text is exempt. */
  readonly ends: FilesErrorCode | 'completes' | "server's own";
  /** `details.reason`, or the reason of the first failure. */
  readonly reason?: string;
  /** A place whose secret the host's hooks are shown, and nobody else. */
  readonly shownToHooks?: string;
  /** Where it can be played; default: everywhere. */
  readonly on?: { readonly engine?: EngineKind; readonly flavour?: Flavour };
  readonly script?: (world: World) => Partial<Script>;
  readonly options?: (world: World) => FilesClientOptions | Promise<FilesClientOptions>;
  readonly call?: (world: World) => Partial<ToolCall>;
  readonly callOptions?: (world: World) => CallOptions;
  /** In place of the call. */
  readonly act?: (client: Connected, world: World) => Promise<unknown>;
}

/** One fails by a transfer. */
export function failing(name: string, reason: string, more: Partial<Scenario>): Scenario {
  return { name, ends: 'transfer_failed', reason, ...more };
}

/** What a scenario is made of. */
export class World {
  readonly secrets = new Secrets();
  /** Known once the server runs. */
  origin = '';
  readonly #undo: (() => void)[] = [];

  /** The secret of a place, in both shapes: for where any text fits. */
  readonly secret = (place: string): string => this.secrets.of(place).both;
  /** As a key: a token of RFC 9110. */
  readonly key = (place: string): string => this.secrets.of(place).key;
  /** As a word, which nothing tells from any other. */
  readonly word = (place: string): string => this.secrets.of(place).word;

  /** A valid target with a secret in every member that may hold one. */
  readonly target = (changes: Json = {}): Json => ({
    url: `${this.origin}/bucket/deck.bin?X-Amz-Signature=${encodeURIComponent(this.secret('query'))}`,
    method: 'PUT',
    headers: {
      'x-amz-meta-owner': this.secret('target header'),
      authorization: `Bearer ${this.secret('target credential')}`,
    },
    ...changes,
  });

  readonly formTarget = (changes: Json = {}): Json => ({
    url: `${this.origin}/bucket?X-Amz-Signature=${encodeURIComponent(this.secret('query'))}`,
    method: 'POST',
    headers: { 'x-amz-meta-owner': this.secret('target header') },
    form: { fields: [{ name: 'policy', value: this.secret('form value') }], fileField: 'file' },
    ...changes,
  });

  /** Nothing but secret. */
  readonly file = (name = 'deck.bin'): FileSource => fromBytes(`${this.secret('file')} `.repeat(50), { name });

  /** Until the scenario is over. */
  setEnvironment(variables: Record<string, string>): void {
    for (const [name, value] of Object.entries(variables)) {
      const before = process.env[name];
      process.env[name] = value;
      this.#undo.push(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
  }

  /** Removed when the scenario is over. */
  temporaryFolder(path: string): string {
    this.#undo.push(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  end(): void {
    for (const step of this.#undo) step();
  }
}

/** For a target that goes where the host's credential does. */
export const INCLUDED = { url: undefined, path: 'uploads/deck?sig=1', credentials: 'include', headers: {} };

/** Asks for the file at `/deck`, and more, then has a result. The targets are made when they are asked for. */
export function asks(w: World, deck: () => Json, more: Record<string, () => Json> = {}): Pick<Script, 'onCall'> {
  const targets = Object.entries({ '/deck': deck, ...more });
  const entry = () => uploadEntry(Object.fromEntries(targets.map(([pointer, target]) => [pointer, target()])));
  return {
    onCall: (_, index) => (index === 0 ? inputRequired({ up: entry() }, w.secret('request state')) : done()),
  };
}

/** Says in every way there is what it was sent, and something of its own. */
export function echoing(w: World, status: number, type: string, format: (told: Json) => string) {
  return ({ url, headers, body }: StoreRequest, response: ServerResponse): void => {
    const secret = w.key('answer header');
    response.writeHead(status, w.secret('reason phrase'), {
      'content-type': type,
      'x-ms-error-code': `${secret} ${url}`,
      'x-request-id': secret,
      location: `https://${secret}.example/?token=${secret}`,
      'www-authenticate': `Bearer realm="${secret}"`,
      'set-cookie': `session=${secret}`,
    });
    response.end(format({ url, headers, body: body.toString('latin1').slice(0, 2000), secret: w.secret('answer') }));
  };
}

/** Answers with bytes of its own making. */
export function rawAnswer(text: string) {
  return (request: IncomingMessage): boolean => {
    request.resume();
    request.socket.end(text);
    return true;
  };
}

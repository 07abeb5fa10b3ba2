import type { McpPort } from '../connection/index.js';
import type { FileRegistry } from '../model/index.js';
import type { Dialect, PublishedLink, Tool } from '../protocol/index.js';
import type { Spooled } from '../source/file-source.js';
import type { Sha256 } from '../transfer/digest.js';
import type { TransferEngine } from '../transfer/engine.js';
import type { Limiter } from '../transfer/limiter.js';
import type { TargetContext } from '../transfer/target-policy.js';
import type { Timeouts } from '../transfer/upload.js';
import type { DescribedArgument } from './described.js';
import type { FileToPublish } from './publish-source.js';
import type { ReturnedFiles } from './remote-file.js';
import type { InputRequestForHost, LogEvent, PlannedTransfer } from './types.js';

/** What the host's `credentials` hook is asked: the headers for one `include` target. */
export interface CredentialRequest {
  /** The target's URL without its query. */
  readonly url: string;
  readonly method: string;
  readonly via: 'url' | 'path';
  readonly direction: 'upload' | 'download';
  readonly tool?: string;
  readonly pointer?: string;
  readonly signal: AbortSignal;
}

/** Headers for one request, by name. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** The host's own decisions during a call. */
export interface HostHooks {
  /**
   * Headers for one `include` target, asked for once each and never for `omit`. `undefined`, or a throw, refuses the
   * target: `target_refused`, reason `credentials_scope`. Default: no target may ask for credentials.
   */
  /** A plain object of strings or `Headers`; nothing (`undefined`, `null`) refuses the target. */
  readonly credentials?: (
    request: CredentialRequest,
  ) => CredentialHeaders | Headers | null | undefined | Promise<CredentialHeaders | Headers | null | undefined>;
  /**
   * Whether a file may go to a destination: asked once for each, in the order of the arguments, one at a time, all
   * answered before a byte of any file leaves. Anything but `true`, or a throw, ends the call with `approval_denied`.
   * Default: every file may.
   */
  readonly approve?: (
    transfer: Readonly<PlannedTransfer>,
    context: { readonly signal: AbortSignal },
  ) => boolean | Promise<boolean>;
  /**
   * Answers what the server asks for in a call with files: elicitation, sampling or roots. What it returns is the
   * request's result. Without it, or where it throws or returns nothing, the call ends with `input_unsupported`. The
   * capability itself (`elicitation: {}`) is declared by the host when it makes its MCP client. `tool`: the tool that is
   * called; `resource`: the URI of the resource that is read by `resources.read`, which has no tool.
   */
  readonly onInputRequest?: (
    request: InputRequestForHost,
    context: { readonly tool?: string; readonly resource?: string; readonly signal: AbortSignal },
  ) => unknown | Promise<unknown>;
  /**
   * Checks the structured content of a call with files against the tool's `outputSchema`, which the SDK does not do
   * here. A throw is `output_invalid`, outcome `completed`. Default: no check.
   */
  readonly validateOutput?: (tool: Tool, structuredContent: unknown) => void;
  /**
   * Puts a file where the server can fetch it, for arguments of `openai/fileParams`, and returns its absolute URL and an id
   * of the host's own. Called once a file, after `approve`, within `concurrency`. Without it such an argument is
   * `extension_unsupported`; a throw, or no URL, is `transfer_failed` with the reason `publish_failed`.
   */
  readonly publish?: (
    source: FileToPublish,
    context: { readonly signal: AbortSignal; readonly tool: string; readonly pointer: string },
  ) => PublishedLink | Promise<PublishedLink>;
  /**
   * File arguments that no schema shows: inner arguments of executor tools, home-made base64. Asked once for each call that
   * has files; what it says of a place counts before what the schema says. A throw is `argument_invalid`.
   */
  readonly describeArguments?: (
    tool: Tool,
    args: { readonly [key: string]: unknown },
  ) => DescribedArguments | undefined | Promise<DescribedArguments | undefined>;
}

type DescribedArguments = readonly DescribedArgument[];

/** What a call needs of the client that makes it. */
export interface CallContext {
  readonly port: McpPort;
  readonly hooks: HostHooks;
  readonly targetContext: TargetContext;
  readonly timeouts: Timeouts;
  readonly inlineLimit: number | undefined;
  readonly maxRounds: number;
  readonly digest: 'auto' | 'always';
  readonly dialects: readonly Dialect[];
  /** Made when the first file goes out of band. */
  readonly engine: () => Promise<TransferEngine>;
  /** One queue for every transfer of the client, first come first served. */
  readonly limit: Limiter;
  /** The definition of a tool, from the cache or from the server; `undefined` if the server does not list it. */
  readonly findTool: (name: string, signal: AbortSignal) => Promise<Tool | undefined>;
  /** The same from the cache alone. */
  readonly knownTool: (name: string) => Tool | undefined;
  readonly registry: FileRegistry;
  readonly resolveHandles: 'declared' | 'anywhere';
  readonly textFiles: 'off' | 'registered';
  /** The files that tools returned to this client. */
  readonly returned: ReturnedFiles;
  readonly sha256: () => Sha256 | Promise<Sha256>;
  /** Keeps content of unknown size: on disk where there is one, else in memory. */
  readonly spool: (content: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<Spooled>;
  /** Absent where the host gave no logger: then no event is made. */
  readonly log: ((event: Omit<LogEvent, 'time'>) => void) | undefined;
}

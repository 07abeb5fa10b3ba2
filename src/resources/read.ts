import { READ, readInRounds } from '../call/read-rounds.js';
import { FilesError } from '../errors/index.js';
import { readContents } from './contents.js';
import { type ResourceEnvironment, run, send } from './environment.js';
import { fetchHttps } from './fetch-https.js';
import { CODE, serverError, shownUri } from './server-error.js';
import type { ReadResourceOptions, ResourceContent } from './types.js';
import { unanswered } from './unanswered.js';

/** The contents of one resource. The URI is opaque: it is sent and compared as it is. */
export function readResource(
  uri: string,
  options: ReadResourceOptions,
  environment: ResourceEnvironment,
): Promise<ResourceContent[]> {
  return run(environment, options.signal, async signal => {
    checkUri(uri);
    environment.requireConnected();
    const { maxBytes, fetchHttps: fetchIt = false } = options;
    if (maxBytes !== undefined && !(maxBytes >= 0)) {
      throw new FilesError('argument_invalid', 'The option maxBytes is no number of bytes.');
    }
    if (fetchIt && /^https:/i.test(uri)) return [await fetchHttps(uri, maxBytes, environment.context, signal)];
    const ask = (params: { [key: string]: unknown }, isRetry: boolean) =>
      send(environment, READ, params, options, signal).catch(error => {
        throw failed(error, uri, isRetry, environment);
      });
    const result = await readInRounds(uri, ask, environment.context, signal);
    const note = (message: string): void => environment.context.log?.({ type: 'note', message: `${READ}: ${message}` });
    return readContents(result, { uri, maxBytes, note });
  });
}

/** Throws `argument_invalid`. */
export function checkUri(uri: unknown): void {
  if (typeof uri === 'string' && uri !== '') return;
  throw new FilesError('argument_invalid', 'The URI of a resource is text that is not empty.');
}

/** What only a missing resource or method is answered with; any other error is the server's own. */
function failed(error: unknown, uri: string, isRetry: boolean, { context: { port } }: ResourceEnvironment): unknown {
  const failure = port.failureOf(error);
  if (failure.kind !== 'rpc_error') return unanswered(READ, error, port);
  const answered = { ...failure, error };
  const asked = { method: READ, uri };
  switch (failure.code) {
    case CODE.invalidParams:
      // To an answered round it may mean the request state, not the resource.
      if (isRetry) return error;
      return serverError('resource_not_found', `The server has no resource ${shownUri(uri)}`, asked, answered);
    case CODE.resourceNotFound:
      return serverError('resource_not_found', `The server has no resource ${shownUri(uri)}`, asked, answered);
    case CODE.methodNotFound:
      return serverError('resource_unsupported', `The server has no ${READ}`, asked, answered);
    default:
      return error;
  }
}

// Records every module that Node resolves from here on, ES modules through a loader hook and CommonJS ones through
// Node's own cache.
import { createRequire, register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

const hook = `
  let port;
  export function initialize(data) { port = data.port; }
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    port.postMessage(resolved.url);
    return resolved;
  }`;

const { port1, port2 } = new MessageChannel();
const urls = [];
port1.on('message', url => urls.push(url));
port1.unref();
register(`data:text/javascript,${encodeURIComponent(hook)}`, { data: { port: port2 }, transferList: [port2] });

export async function loaded() {
  await new Promise(resolve => setImmediate(resolve));
  return [...urls, ...Object.keys(createRequire(import.meta.url).cache)];
}

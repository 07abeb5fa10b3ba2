import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressContext, isAddressAllowed } from './address-rules.js';
import { refused } from './target.js';

/** As `dns.lookup` with `all: true`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A `lookup` for `net.connect` and undici's `connect`: resolves a name and hands out its addresses only if every one
 * of them may be connected to, so that the socket goes to an address that was checked and no second answer counts. A
 * refusal is a FilesError `target_refused` / `private_address`, which the request rejects with.
 *
 * Node and undici resolve no IP literals: those are judged by `checkTarget` alone.
 */
export function makeGuardedLookup(context: AddressContext, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, options.all ? [] : '');
      // One private address among public ones is how a name is made to pass a check and connect elsewhere.
      if (!addresses.every(({ address }) => isAddressAllowed(address, hostname, context))) {
        const message = `${hostname} resolves to an address that is not public.`;
        return callback(refused('private_address', message, { hostname }), options.all ? [] : '');
      }
      const [first] = addresses;
      if (first === undefined) return callback(notFound(hostname), options.all ? [] : '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
}

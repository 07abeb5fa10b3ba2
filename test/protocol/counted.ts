/** Counts how often members of a value are read, so that no test depends on the speed of the machine. */
export function counted<T extends object>(value: T): { value: T; reads: () => number } {
  let reads = 0;
  const proxies = new Map<object, object>();
  const wrap = (target: unknown): unknown => {
    if (typeof target !== 'object' || target === null) return target;
    const known = proxies.get(target);
    if (known) return known;
    const proxy = new Proxy(target, {
      get: (object, key, receiver) => {
        reads++;
        return wrap(Reflect.get(object, key, receiver));
      },
      getOwnPropertyDescriptor: (object, key) => {
        reads++;
        return Reflect.getOwnPropertyDescriptor(object, key);
      },
    });
    proxies.set(target, proxy);
    return proxy;
  };
  return { value: wrap(value) as T, reads: () => reads };
}

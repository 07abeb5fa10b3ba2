const WORD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * What may be shown of another library's error: its class and its code, both only if they are plain words.
 * Its message, stack and own members may quote URLs, headers or bodies, so none of them is kept.
 */
export function safeCause(error: unknown): Error {
  const { name, code } = (typeof error === 'object' && error !== null ? error : {}) as {
    name?: unknown;
    code?: unknown;
  };
  const shownName = typeof name === 'string' && WORD.test(name) ? name : 'Error';
  const shownCode = typeof code === 'string' && WORD.test(code) ? code : undefined;
  const safe = new Error(shownCode ?? shownName) as Error & { code?: string };
  safe.name = shownName;
  safe.stack = `${shownName}: ${safe.message}`;
  if (shownCode !== undefined) safe.code = shownCode;
  return safe;
}

import { safeCause } from '../errors/index.js';

/**
 * A module that is loaded on first use. A bundler may have broken that (`require` inside an ES module), with an error that
 * has no code: it gets one, since code and class are all that is shown of a cause.
 */
export async function load<T>(module: Promise<T>): Promise<T> {
  try {
    return await module;
  } catch (error) {
    const { code, name } = safeCause(error) as Error & { code?: string };
    throw safeCause({ name, code: code ?? 'ERR_MODULE_LOAD' });
  }
}

import type { FileArgument } from '../protocol/index.js';

/** A server may list as many patterns as it likes. */
const MOST_PATTERNS = 32;
const MOST_PATTERN_CHARACTERS = 100;

/** What a model is told to pass where the tool takes a file, after what the tool's author says of the argument. */
export function guidance(description: unknown, { accept, maxSize }: Pick<FileArgument, 'accept' | 'maxSize'>): string {
  const given = typeof description === 'string' ? description.trim() : '';
  const patterns = (accept ?? []).slice(0, MOST_PATTERNS).map(pattern => pattern.slice(0, MOST_PATTERN_CHARACTERS));
  const parts = [
    given === '' || /[.!?:]$/.test(given) ? given : `${given}.`,
    'Takes a file: pass its handle, the text that starts with "mcpfile_", and nothing else (no path, URL or content).',
    patterns.length === 0
      ? ''
      : `Accepted: ${patterns.join(', ')}${(accept?.length ?? 0) > MOST_PATTERNS ? ', …' : ''}.`,
    maxSize === undefined ? '' : `At most ${maxSize} bytes.`,
  ];
  return parts.filter(part => part !== '').join(' ');
}

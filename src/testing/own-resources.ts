import type { Json } from './options.js';

/** A smallest PNG, one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const NUMBERED = 12;

/** The server's own resources, in the order of its list. */
export const OWN_RESOURCES: readonly Json[] = [
  {
    uri: 'reference:///welcome',
    name: 'welcome',
    title: 'Welcome',
    description: 'A text.',
    mimeType: 'text/plain',
    annotations: { audience: ['user', 'assistant'], priority: 1, lastModified: '2026-01-02T03:04:05Z' },
  },
  { uri: 'reference:///pixel.png', name: 'pixel.png', mimeType: 'image/png', annotations: { priority: 0.1 } },
  { uri: 'reference:///folder', name: 'folder', description: 'Several contents at once.', mimeType: 'inode/directory' },
  {
    uri: 'reference:///question',
    name: 'question',
    description: 'Asks the user before it is read.',
    mimeType: 'text/plain',
  },
  ...Array.from({ length: NUMBERED }, (_, index) => ({
    uri: `reference:///numbers/${index + 1}`,
    name: `number ${index + 1}`,
    mimeType: 'text/plain',
  })),
];

export const OWN_TEMPLATES: readonly Json[] = [
  { uriTemplate: 'reference:///numbers/{number}', name: 'numbers', description: 'A number.', mimeType: 'text/plain' },
  {
    uriTemplate: 'reference:///echo{/path*}{?text,list*}',
    name: 'echo',
    description: 'Its own URI.',
    mimeType: 'text/plain',
  },
];

/** The contents of one of them; `undefined` where there is none. `changes`: how often `touchResource` was called for it. */
export function ownContents(uri: string, changes: number): Json[] | undefined {
  const text = (value: string): Json[] => [
    { uri, mimeType: 'text/plain', text: changes === 0 ? value : `${value} (${changes})` },
  ];
  if (uri === 'reference:///welcome') return text('Welcome to the reference server.');
  if (uri === 'reference:///question') return text('Asked and answered.');
  if (uri === 'reference:///pixel.png') return [{ uri, mimeType: 'image/png', blob: PIXEL }];
  if (uri === 'reference:///folder') {
    return [
      { uri: `${uri}/a.txt`, mimeType: 'text/plain', text: 'first' },
      { uri: `${uri}/b.bin`, blob: 'AAEC/w==' },
    ];
  }
  const number = /^reference:\/\/\/numbers\/(\d{1,9})$/.exec(uri)?.[1];
  if (number !== undefined) return text(number);
  return uri.startsWith('reference:///echo') ? text(uri) : undefined;
}

import type { Json } from './options.js';
import { RETURN_FILES } from './returned-files.js';

/** A file argument as it arrived: the draft's structured value. */
interface FileArgumentValue {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly data?: string;
}

export interface ReferenceTool {
  readonly definition: Json & { readonly name: string; readonly inputSchema: Json };
  /** Where files stand in the arguments: segments, `*` for any index. */
  readonly files: readonly (readonly string[])[];
  readonly accept?: readonly string[];
  /** Bytes per file. */
  readonly maxSize?: number;
  /** Asks the person before it runs. */
  readonly confirms?: boolean;
  /** Returns a file. */
  readonly reports?: boolean;
  /** Returns files in every way. */
  readonly returnsFiles?: boolean;
}

/** `save_image` takes no larger file. */
const MAX_IMAGE_BYTES = 2 * 1024 * 1024;

function file(description: string, keyword: Json = {}): Json {
  return {
    type: 'object',
    description,
    'x-mcp-file': keyword,
    properties: {
      name: { type: 'string' },
      mimeType: { type: 'string' },
      size: { type: 'integer', minimum: 0 },
      data: { type: 'string' },
    },
    required: ['name', 'mimeType', 'size'],
  };
}

const OUTPUT = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string' },
          name: { type: 'string' },
          size: { type: 'integer' },
          sha256: { type: 'string' },
        },
        required: ['pointer', 'name', 'size', 'sha256'],
      },
    },
  },
  required: ['files'],
};

function saving(name: string, description: string, properties: Json, required: string[]): ReferenceTool['definition'] {
  return { name, description, inputSchema: { type: 'object', properties, required }, outputSchema: OUTPUT };
}

const FOLDER = { type: 'string', description: 'Where to put it.' };

const TOOLS: readonly ReferenceTool[] = [
  {
    definition: saving('save_file', 'Saves one file.', { folder: FOLDER, document: file('The file.') }, [
      'folder',
      'document',
    ]),
    files: [['document']],
  },
  {
    definition: saving(
      'save_files',
      'Saves several files.',
      { folder: FOLDER, documents: { type: 'array', items: file('One of the files.') } },
      ['documents'],
    ),
    files: [['documents', '*']],
  },
  {
    definition: saving(
      'publish',
      'Publishes a deck with its assets: files at several depths.',
      {
        site: { type: 'string' },
        deck: file('The deck.'),
        assets: { type: 'array', items: file('An image or clip of the deck.') },
        branding: {
          type: 'object',
          properties: { theme: { type: 'string' }, logo: file('The logo.', { accept: ['image/*', '.svg'] }) },
        },
        notes: { anyOf: [file('Speaker notes.'), { type: 'null' }] },
      },
      ['site', 'deck'],
    ),
    files: [['deck'], ['assets', '*'], ['branding', 'logo'], ['notes']],
  },
  {
    definition: saving(
      'save_with_confirmation',
      'Saves one file after asking the person.',
      { folder: FOLDER, document: file('The file.') },
      ['document'],
    ),
    files: [['document']],
    confirms: true,
  },
  {
    definition: saving(
      'save_image',
      'Saves an image of at most 2 MiB.',
      { image: file('The image.', { accept: ['image/*'], maxSize: MAX_IMAGE_BYTES }) },
      ['image'],
    ),
    files: [['image']],
    accept: ['image/'],
    maxSize: MAX_IMAGE_BYTES,
  },
  {
    definition: {
      name: 'echo',
      description: 'Returns the text; takes no file.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
    files: [],
  },
  {
    definition: {
      name: 'make_report',
      description: 'Returns a text file to download.',
      inputSchema: {
        type: 'object',
        properties: {
          title: { type: 'string', maxLength: 200 },
          size: {
            type: 'integer',
            minimum: 0,
            maximum: 1024 ** 3,
            description: 'Bytes of the report; 2048 by default.',
          },
        },
      },
    },
    files: [],
    reports: true,
  },
  RETURN_FILES,
];

export const TOOL_DEFINITIONS = TOOLS.map(tool => tool.definition);

export function toolNamed(name: unknown): ReferenceTool | undefined {
  return TOOLS.find(tool => tool.definition.name === name);
}

export interface FoundFile {
  readonly pointer: string;
  readonly value: FileArgumentValue;
}

/** The file values in a call's arguments (which the input schema has been checked against), in the tool's order. */
export function filesIn(tool: ReferenceTool, args: Json): FoundFile[] {
  return tool.files.flatMap(segments => valuesAt(args, segments, ''));
}

function valuesAt(value: unknown, segments: readonly string[], pointer: string): FoundFile[] {
  if (value === undefined || value === null) return [];
  const [segment, ...rest] = segments;
  if (segment === undefined) return [{ pointer, value: value as FileArgumentValue }];
  if (segment === '*') return (value as unknown[]).flatMap((item, i) => valuesAt(item, rest, `${pointer}/${i}`));
  return valuesAt((value as Json)[segment], rest, `${pointer}/${segment}`);
}

import type { Json, Settings } from './options.js';

export const REFERENCE_DIALECTS = [
  'data-uri',
  'file-object',
  'file-object-older',
  'openai-file-params',
  'base64',
] as const;

/** The earlier ways of taking files that the reference server can speak instead of the extension. */
export type ReferenceDialect = (typeof REFERENCE_DIALECTS)[number];

const FOLDER = { type: 'string', description: 'Where to put it.' };

/** `save_file` and `save_files` as a server of that dialect lists them. */
export function dialectTools(dialect: ReferenceDialect, { transferModes, maxSize }: Settings): Json[] {
  const keyword = { ...(maxSize === undefined ? {} : { maxSize }) };
  switch (dialect) {
    case 'data-uri':
      return saving({ type: 'string', format: 'uri', 'x-mcp-file': keyword });
    case 'file-object':
    case 'file-object-older':
      return saving({ type: 'string', format: 'uri', 'x-mcp-file': { ...keyword, transferModes } });
    case 'openai-file-params': {
      const [file, files] = saving(OPENAI_FILE) as [Json, Json];
      return [
        { ...file, _meta: { 'openai/fileParams': ['document'] } },
        { ...files, _meta: { 'openai/fileParams': ['documents'] } },
      ];
    }
    case 'base64':
      return [
        {
          name: 'save_file',
          description: 'Saves one file.',
          inputSchema: {
            type: 'object',
            properties: { folder: FOLDER, content_base64: TEXT, filename: TEXT, mime_type: TEXT },
            required: ['content_base64', 'filename'],
          },
        },
      ];
  }
}

const TEXT = { type: 'string' };

/** What that practice asks for: all four members listed, two of them required, no others. */
const OPENAI_FILE = {
  type: 'object',
  properties: { download_url: TEXT, file_id: TEXT, mime_type: TEXT, file_name: TEXT },
  required: ['download_url', 'file_id'],
  additionalProperties: false,
};

function saving(file: Json): Json[] {
  const input = (properties: Json, required: string[]): Json => ({
    type: 'object',
    properties: { folder: FOLDER, ...properties },
    required,
  });
  return [
    { name: 'save_file', description: 'Saves one file.', inputSchema: input({ document: file }, ['document']) },
    {
      name: 'save_files',
      description: 'Saves several files.',
      inputSchema: input({ documents: { type: 'array', items: file } }, ['documents']),
    },
  ];
}

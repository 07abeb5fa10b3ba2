/** A tool with one file, a list of files and a nested one, as a server would list it. */
export const publish = {
  name: 'publish',
  inputSchema: {
    type: 'object',
    properties: {
      site: { type: 'string' },
      deck: { type: 'object', 'x-mcp-file': {} },
      assets: { type: 'array', items: { type: 'object', 'x-mcp-file': {} } },
      meta: { type: 'object', properties: { cover: { type: 'object', 'x-mcp-file': {} } } },
    },
    required: ['site'],
  },
};

/** A tool that limits what it takes. */
export const saveImage = {
  name: 'save_image',
  inputSchema: {
    type: 'object',
    properties: { image: { type: 'object', 'x-mcp-file': { accept: ['image/*', '.pdf'], maxSize: 1000 } } },
    required: ['image'],
  },
};

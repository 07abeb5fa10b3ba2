/** Identifier of the extension, as a key of `extensions`, of `_meta` and of error data. The draft may still rename it. */
export const FILES_EXTENSION = 'io.modelcontextprotocol/files';

/** The JSON Schema keyword that marks a file argument. The draft may still rename it. */
export const FILE_KEYWORD = 'x-mcp-file';

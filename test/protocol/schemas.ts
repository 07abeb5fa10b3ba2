import { fileArguments, type JsonObject, type Tool } from '../../src/protocol/index.js';

export const FILE = { type: 'object', 'x-mcp-file': {} };
export const URI = { type: 'string', format: 'uri' };

export function tool(inputSchema: unknown, _meta?: unknown): Tool {
  return { name: 't', inputSchema, _meta } as Tool;
}

/** A tool with one argument `f`. */
export function withArgument(schema: unknown, more: JsonObject = {}, meta?: unknown): Tool {
  return tool({ type: 'object', properties: { f: schema }, ...more }, meta);
}

export function pointers(given: Tool): string[] {
  return fileArguments(given).map(argument => argument.pointer);
}

/** The one file argument of a tool, without where it stands. */
export function only(given: Tool) {
  const [argument, ...others] = fileArguments(given);
  if (!argument || others.length > 0) throw new Error(`${others.length + (argument ? 1 : 0)} file arguments`);
  const { pointer: _pointer, required: _required, ...rest } = argument;
  return rest;
}

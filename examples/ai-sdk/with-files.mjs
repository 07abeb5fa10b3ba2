import { resultForModel, toolForModel } from 'mcp-files-client';

/** The server's tools for `generateText` and `streamText`: the model passes handles, and sees names and sizes. */
export async function withFiles(aiClient, files, { scope }) {
  const tools = aiClient.toolsFromDefinitions({ tools: (await files.listTools()).map(toolForModel) });
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      {
        ...tool,
        execute: async (args, { abortSignal }) => {
          const result = await files.callToolWithFiles({ name, arguments: args }, { scope, signal: abortSignal });
          return resultForModel(result, { registry: files.registry, scope });
        },
      },
    ]),
  );
}

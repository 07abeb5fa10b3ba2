import { MockLanguageModelV4 } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Like a model it knows its prompt alone: it takes the handles from there, the newest last. */
export function createMockModel() {
  let step = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const handles = JSON.stringify(prompt).match(/mcpfile_\w+/g) ?? [];
      const call = (toolName, input) => ({
        content: [{ type: 'tool-call', toolCallId: `call-${step}`, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      });
      switch (step++) {
        case 0:
          return call('save_file', { folder: 'notes', document: handles[0] });
        case 1:
          return call('make_report', { title: 'Notes', size: 5000 });
        case 2:
          return call('save_file', { folder: 'reports', document: handles.at(-1) });
        default:
          return {
            content: [{ type: 'text', text: 'Both are saved.' }],
            finishReason: { unified: 'stop', raw: undefined },
            usage,
            warnings: [],
          };
      }
    },
  });
}

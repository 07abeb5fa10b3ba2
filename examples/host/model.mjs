/**
 * Stands in for a language model: like one, it knows nothing but the transcript, takes handles from the text it reads, and
 * answers with a tool call or with words.
 */
export function createScriptedModel() {
  return async ({ messages }) => {
    const calls = messages.filter(({ call }) => call);
    switch (calls.length) {
      case 0: {
        const [deck, logo] = handlesIn(messages[0].text);
        return { call: { name: 'publish', arguments: { site: 'spring', deck, branding: { theme: 'dark', logo } } } };
      }
      case 1:
        return { call: { name: 'make_report', arguments: { title: 'Spring deck', size: 300_000 } } };
      case 2: {
        const [report] = handlesIn(JSON.stringify(messages.at(-1)));
        return { call: { name: 'save_file', arguments: { folder: 'reports', document: report } } };
      }
      default:
        return { text: 'The deck is published, and its report is in the folder "reports".' };
    }
  };
}

function handlesIn(text) {
  return text.match(/mcpfile_\w+/g) ?? [];
}

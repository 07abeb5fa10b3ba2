/** Where a text names something, and what. */
export interface LinkInText {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** Larger texts are no messages: they are not looked through. */
const MOST_CHARACTERS = 2_000_000;

/** May a text hold an image or link of Markdown at all? */
export function mayHaveLinks(text: string): boolean {
  return text.length <= MOST_CHARACTERS && /\]\s*[(:]/.test(text);
}

/**
 * The destinations of the images and links of a Markdown text (CommonMark), definitions of references included, that could be
 * the name of a file: none in code, no URL, no anchor, no absolute path. The parser is loaded with the first such text.
 */
export async function linksIn(text: string): Promise<LinkInText[]> {
  const { parser } = await import('@lezer/markdown');
  const links: LinkInText[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (node.name !== 'URL' || !/^(Image|Link|LinkReference)$/.test(node.node.parent?.name ?? '')) return;
      // `<a name with spaces.png>`: the brackets stay.
      const brackets = text[node.from] === '<' ? 1 : 0;
      const [from, to] = [node.from + brackets, node.to - brackets];
      const name = text.slice(from, to);
      if (name !== '' && !/^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(name)) links.push({ from, to, name });
    },
  });
  return links;
}

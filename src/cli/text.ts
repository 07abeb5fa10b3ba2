const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size for people: `0 B`, `512 B`, `1.4 MiB`. */
export function shownSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}

/** A duration for people: `740 ms`, `12.3 s`. */
export function shownTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** `1 file`, `3 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a server or a file name says, safe for a terminal: no escape sequence and no override of the reading direction. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const DOUBLE_WIDTH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;

/** How many columns of a terminal a character takes. */
function columnsOf(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return DOUBLE_WIDTH.test(character) ? 2 : 1;
}

export function width(text: string): number {
  return [...text].reduce((sum, character) => sum + columnsOf(character), 0);
}

/** At most so many columns; what is too long loses its middle, so that an extension stays readable. */
export function fitted(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  const characters = [...text];
  const tail: string[] = [];
  let room = columns - 1;
  for (let last = characters.at(-1); last !== undefined && width(tail.join('') + last) <= Math.floor(room / 3); ) {
    tail.unshift(last);
    characters.pop();
    last = characters.at(-1);
  }
  room -= width(tail.join(''));
  let head = '';
  for (const character of characters) {
    if (width(head + character) > room) break;
    head += character;
  }
  return `${head}\u2026${tail.join('')}`;
}

export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly right?: boolean;
  /** The one column that gives way where the line is too long. */
  readonly gives?: boolean;
}

/** Aligned columns, two spaces apart, no line longer than `columns`. */
export function table(head: readonly Column[], rows: readonly (readonly string[])[], columns: number): string {
  const lines = [head.map(column => column.title), ...rows];
  const widths = head.map((_, i) => Math.max(...lines.map(line => width(line[i] ?? ''))));
  const excess = widths.reduce((sum, w) => sum + w, 0) + 2 * (head.length - 1) - columns;
  const giving = head.findIndex(column => column.gives);
  if (excess > 0 && giving >= 0) widths[giving] = Math.max(8, (widths[giving] ?? 0) - excess);
  const cell = (text: string, i: number) => {
    const shown = fitted(text, widths[i] ?? 0);
    const padding = ' '.repeat((widths[i] ?? 0) - width(shown));
    return head[i]?.right ? padding + shown : shown + padding;
  };
  return lines.map(line => `${line.map(cell).join('  ').trimEnd()}\n`).join('');
}

/** Breaks at spaces so that no line is longer than `columns`; later lines are indented as the first begins. */
export function wrapped(text: string, columns: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && width(indent + line) + 1 + width(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map(each => indent + each).join('\n');
}
